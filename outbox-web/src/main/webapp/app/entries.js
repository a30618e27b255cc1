// The entries that pass the filter, page by page, and the filter itself.

import { $, el } from './dom.js';
import { FILTERS, address, filter, go, link, linkToEntry } from './address.js';
import { badge, count, emptyRow, headRow, nothing, time } from './format.js';

const INSTANTS = ['created_from', 'created_before', 'due_from', 'due_before'];

const COLUMNS = ['Key', 'Status', 'Destination', 'Attempts', 'Created', 'Last failure'];

export const ENTRY_COLUMNS = COLUMNS.length;

export const entriesHead = () => headRow(...COLUMNS);

export function entryRows(page) {
  if (page.entries.length === 0) {
    return [emptyRow(ENTRY_COLUMNS, page.next_cursor ? 'None among those that were looked at; older ones may.' : 'No entry passes this filter.')];
  }
  return page.entries.map(({ entry, last_failure: failure }) => el('tr', { id: `r-${entry.outbox_id}` },
    el('th', { scope: 'row' },
      el('a', { id: `e-${entry.outbox_id}`, href: linkToEntry(entry.outbox_id) }, entry.idempotency_key)),
    el('td', { 'data-label': 'Status' }, badge(entry.status)),
    el('td', { 'data-label': 'Destination' }, entry.destination),
    el('td', { 'data-label': 'Attempts' }, count(entry.attempt_count)),
    el('td', { 'data-label': 'Created' }, time(entry.created_at)),
    el('td', { 'data-label': 'Last failure', class: failure ? null : 'none' },
      failure ? el('code', {}, failure) : nothing())));
}

export function showPager(page) {
  pager('#newest', address().get('cursor') && link(filter()));
  pager('#older', page.next_cursor && link({ ...filter(), cursor: page.next_cursor }));
}

export function hidePager() {
  pager('#newest', null);
  pager('#older', null);
}

function pager(selector, href) {
  const anchor = $(selector);
  anchor.hidden = !href;
  if (href) {
    anchor.href = href;
  }
}

/** Puts the filter of the address into the form. */
export function showFilter() {
  const form = $('#filter');
  for (const name of FILTERS) {
    const value = address().get(name) ?? '';
    const input = form.elements[name];
    input.dataset.given = value;
    input.value = value && INSTANTS.includes(name) ? toLocal(value) : value;
    input.dataset.shown = input.value;
  }
  if (INSTANTS.some((name) => address().get(name))) {
    $('#filter details').open = true;
  }
}

/** An instant in the reader's own zone, as a date input has it. */
function toLocal(instant) {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) {
    return '';
  }
  return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

function submitted(event) {
  event.preventDefault();
  const given = {};
  for (const name of FILTERS) {
    const input = event.target.elements[name];
    const value = input.value.trim();
    // What nobody touched stays as exact as it is in the address.
    given[name] = input.value === input.dataset.shown ? input.dataset.given
      : value && INSTANTS.includes(name) ? new Date(value).toISOString() : value;
  }
  go(link(given));
}

export function startFilter() {
  $('#filter').addEventListener('submit', submitted);
}
