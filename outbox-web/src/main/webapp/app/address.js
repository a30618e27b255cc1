// The address holds the filter, the page and the open record; everything else follows it.

export const FILTERS = ['status', 'destination', 'command_id', 'failure_code', 'key_prefix',
  'created_from', 'created_before', 'due_from', 'due_before'];

export const address = () => new URLSearchParams(location.search);

/** The filter in the address, without what it leaves open. */
export const filter = () => present(Object.fromEntries(FILTERS.map((name) => [name, address().get(name)])));

export const query = (parameters) => new URLSearchParams(present(parameters));

/** An address with these parameters and no others. */
export const link = (parameters) => `?${query(parameters)}`;

/** The present address with another record open, or none. */
export function linkToEntry(id) {
  const at = address();
  at.delete('entry');
  if (id) {
    at.set('entry', id);
  }
  return `?${at}`;
}

/** Says where to go without loading the page anew. */
export function go(href) {
  history.pushState(null, '', href === '?' ? location.pathname : href);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

/** Links within the page change the address only. */
export function follow(event) {
  const anchor = event.target.closest('a[href^="?"]');
  if (!anchor || event.defaultPrevented || event.button !== 0
      || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  go(anchor.getAttribute('href'));
  if (anchor.dataset.to) {
    const target = document.getElementById(anchor.dataset.to);
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
  }
}

function present(parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value));
}
