// The calls of the admin resource. Failures carry the problem's own words.

export class Problem extends Error {
  constructor(status, detail, code) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

// Built from parts of the address without a user and a password: fetch refuses an address that holds them.
const BASE = new URL('api/', location.origin + location.pathname);

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(new URL(path, BASE), { cache: 'no-store', ...options });
  } catch {
    throw new Problem(0, 'The server cannot be reached.');
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Problem(response.status, problem.detail ?? problem.title ?? `HTTP ${response.status}`, problem.code);
  }
  return response;
}

const json = async (path, options) => (await call(path, options)).json();

export const me = () => json('me');
export const stats = () => json('stats');
export const entries = (query) => json(`entries?${query}`);
export const record = (id) => json(`entries/${encodeURIComponent(id)}`);

/** The payload's exact text: parsing it here would lose digits of large numbers. */
export const payload = async (id) => (await call(`entries/${encodeURIComponent(id)}/payload`)).text();

export const dispatch = () =>
  json('dispatch', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
