// The calls of the admin resource. Failures carry the problem's own words.

export class Problem extends Error {
  constructor(status, detail, code) {
    super(detail);
    this.status = status;
    this.code = code;
  }

  /** Whether the record is no longer the one that was looked at. */
  get isStale() {
    return this.status === 412;
  }
}

// Built from parts of the address without a user and a password: fetch refuses an address that holds them.
const BASE = new URL('api/', location.origin + location.pathname);

async function call(path, options = {}, accepted = []) {
  let response;
  try {
    response = await fetch(new URL(path, BASE), { cache: 'no-store', ...options });
  } catch {
    throw new Problem(0, 'The server cannot be reached.');
  }
  if (!response.ok && !accepted.includes(response.status)) {
    const problem = await response.json().catch(() => ({}));
    throw new Problem(response.status, problem.detail ?? problem.title ?? `HTTP ${response.status}`, problem.code);
  }
  return response;
}

const json = async (path, options, accepted) => (await call(path, options, accepted)).json();

/** What changes something is JSON, also without a body: the server takes nothing else. */
const send = (method, path, body = {}, headers = {}) =>
  json(path, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

const at = (id) => `entries/${encodeURIComponent(id)}`;

export const me = () => json('me');
export const stats = () => json('stats');
export const destinations = () => json('destinations');
/** Also tells that it is down, which is no failure of the call. */
export const health = () => json('health', {}, [503]);
export const lastHour = () => json('history');
export const jobs = (limit) => json(`jobs?limit=${limit}`);
export const bulks = () => json('bulk');
export const bulk = (id) => json(`bulk/${encodeURIComponent(id)}`);
export const audit = (limit) => json(`audit?limit=${limit}`);
export const entries = (query) => json(`entries?${query}`);
/** Page after page of them, to the end or so many pages; `next_cursor` tells that there are more. */
export async function pages(parameters, most) {
  const all = { entries: [] };
  for (let page = 0; page < most && (page === 0 || all.next_cursor); page += 1) {
    const cursor = all.next_cursor ? { cursor: all.next_cursor } : {};
    const next = await entries(new URLSearchParams({ ...parameters, ...cursor }));
    all.entries.push(...next.entries);
    all.next_cursor = next.next_cursor;
  }
  return all;
}

export const exportAddress = (query) => new URL(`export?${query}`, BASE).href;

/** A record and the tag of its version; null if it is still the version with the known tag. */
export async function record(id, known) {
  const response = await call(at(id), known ? { headers: { 'If-None-Match': known } } : {}, [304]);
  return response.status === 304 ? null : { record: await response.json(), tag: response.headers.get('ETag') };
}

/** The payload's exact text: parsing it here would lose digits of large numbers. */
export const payload = async (id) => (await call(`${at(id)}/payload`)).text();

/** Acts on the version of the record that was looked at. */
export const act = (id, name, body, tag) => send('POST', `${at(id)}/${name}`, body, { 'If-Match': tag });

export const dispatch = () => send('POST', 'dispatch');
export const release = (body) => send('POST', 'claims/release', body);
export const hold = (body) => send('POST', 'hold', body);
export const control = (name, body) => send('PUT', `destinations/${encodeURIComponent(name)}`, body);
export const stop = (id, body) => send('POST', `jobs/${id}/stop`, body);
export const startBulk = (body) => send('POST', 'bulk', body);
export const cancelBulk = (id) => send('POST', `bulk/${encodeURIComponent(id)}/cancel`);
