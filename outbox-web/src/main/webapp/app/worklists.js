// What waits for a person, and what runs.

import { el } from './dom.js';
import { link, linkToEntry } from './address.js';
import { age, button, count, distance, emptyRow, headRow, nothing, time } from './format.js';

/** So many rows a list here has at most; the entries below have all. */
const MOST = 8;

/** The failed entries that are looked at for their codes. */
export const LOOKED_AT = 500;

/** Pages answer the newest first, so those that are unknown for longest are on the last: so many are looked at. */
export const UNKNOWN_PAGES = 10;

export const unknownHead = () => headRow('Key', 'Destination', 'Unknown for', 'Attempts');

/** What the rows are, with a way to the rest where not all were looked at. */
export const unknownNote = (page) => page.next_cursor
  ? [`Longest first, of the newest ${count(page.entries.length)}; `,
    el('a', { id: 'unknown-all', href: link({ status: 'outcome_unknown' }), 'data-to': 'entries-title' }, 'there are more'), '.']
  : ['Longest first.'];

/** Those that have been unknown for longest. */
export function unknownRows(page) {
  if (page.entries.length === 0) {
    return [emptyRow(4, 'Every outcome is known.')];
  }
  const since = (record) => record.unknown_since ?? record.entry.created_at;
  const oldest = [...page.entries].sort((one, other) => new Date(since(one)) - new Date(since(other)));
  return oldest.slice(0, MOST).map((record) => el('tr', { id: `ur-${record.entry.outbox_id}` },
    el('th', { scope: 'row' }, el('a', { id: `u-${record.entry.outbox_id}`, href: linkToEntry(record.entry.outbox_id) },
      record.entry.idempotency_key)),
    el('td', { 'data-label': 'Destination' }, record.entry.destination),
    el('td', { 'data-label': 'Unknown for' }, record.unknown_since ? time(record.unknown_since, age) : nothing()),
    el('td', { 'data-label': 'Attempts' }, count(record.entry.attempt_count))));
}

export const failedHead = (acts) => headRow('Code', 'Destination', 'Entries', 'Newest', ...(acts ? ['Acts'] : []));

/** @param page the newest of them; `next_cursor` tells that there are more */
export function failedRows(page, acts) {
  if (page.entries.length === 0) {
    return [emptyRow(acts ? 5 : 4, 'Nothing has failed.')];
  }
  const groups = new Map();
  page.entries.forEach(({ entry, last_failure: code = '' }) => {
    const key = JSON.stringify([code, entry.destination]);
    const group = groups.get(key) ?? { code, destination: entry.destination, number: 0, newest: entry.completed_at };
    group.number += 1;
    groups.set(key, group);
  });
  const more = page.next_cursor ? '+' : '';
  return [...groups.values()].sort((one, other) => other.number - one.number).slice(0, MOST).map((group, row) => {
    const filter = { status: 'failed', destination: group.destination, failure_code: group.code };
    return el('tr', {},
      el('th', { scope: 'row' }, el('a', { id: `f-${row}`, href: link(filter), 'data-to': 'entries-title' },
        el('code', {}, group.code || 'no code'))),
      el('td', { 'data-label': 'Destination' }, group.destination),
      el('td', { 'data-label': 'Entries' }, count(group.number) + more),
      el('td', { 'data-label': 'Newest' }, group.newest ? time(group.newest) : nothing()),
      // Without a code the filter would let others pass too.
      acts ? el('td', { class: group.code ? 'acts' : 'none' }, group.code && button('bulk', 'Resubmit', { act: 'resubmit', filter: JSON.stringify(filter) },
        { id: `fr-${row}`, 'aria-label': `Resubmit ${group.code} of ${group.destination}` })) : null);
  });
}

export const runningHead = (acts) => headRow('What', 'Since', 'Progress', ...(acts ? ['Acts'] : []));

/** Executions and bulk acts that go on. */
export function runningRows(jobs, bulks, acts) {
  const rows = [
    ...bulks.filter(({ status }) => status === 'running').map((bulk) => el('tr', { id: `k-${bulk.bulk_id}` },
      el('th', { scope: 'row' }, `Bulk ${bulk.act} by ${bulk.actor}`),
      el('td', { 'data-label': 'Since', class: 'none' }, nothing()),
      el('td', { 'data-label': 'Progress' }, progress(bulk)),
      acts ? el('td', { class: 'acts' }, button('cancel', 'Cancel', { bulk: bulk.bulk_id },
        { id: `kc-${bulk.bulk_id}`, 'aria-label': `Cancel the bulk ${bulk.act}` })) : null)),
    ...jobs.filter((job) => !job.ended_at).map((job) => el('tr', { id: `j-${job.execution_id}` },
      el('th', { scope: 'row' }, `${job.job} ${job.execution_id}`),
      el('td', { 'data-label': 'Since' }, time(job.created_at)),
      el('td', { 'data-label': 'Progress' }, job.report ? report(job.report) : job.status.toLowerCase()),
      acts ? el('td', { class: 'acts' }, button('stop', 'Stop', { execution: job.execution_id },
        { id: `js-${job.execution_id}`, 'aria-label': `Stop ${job.job} ${job.execution_id}` })) : null)),
  ];
  return rows.length ? rows : [emptyRow(acts ? 4 : 3, 'Nothing runs at this moment.')];
}

/** What ended last, one line each. */
export function endedLines(jobs, bulks) {
  const lines = [
    ...bulks.filter(({ status }) => status !== 'running').slice(0, MOST).map((bulk) =>
      el('li', {}, `Bulk ${bulk.act} by ${bulk.actor} ${bulk.status}: ${bulkCounts(bulk)}`)),
    ...jobs.filter((job) => job.ended_at).slice(0, MOST).map((job) =>
      el('li', {}, `${job.job} ${job.execution_id} ${job.status.toLowerCase()} ${distance(job.ended_at)}`,
        job.exit_status ? `: ${job.exit_status}` : null)),
  ];
  return lines.length ? lines : [el('li', { class: 'muted' }, 'Nothing has ended yet.')];
}

export const bulkCounts = (bulk) =>
  `${count(bulk.done)} of ${count(bulk.expected)} done${bulk.skipped ? `, ${count(bulk.skipped)} skipped` : ''}`;

export const progress = (bulk) => [
  el('progress', { value: bulk.done + bulk.skipped, max: Math.max(1, bulk.expected), 'aria-label': `Bulk ${bulk.act}` }),
  el('div', { class: 'muted' }, bulkCounts(bulk))];

const report = (counts) => Object.entries(counts).filter(([, number]) => number)
  .map(([name, number]) => `${count(number)} ${name}`).join(', ') || 'nothing yet';

/** What operators did, one line each. */
export const auditLines = (acts) => acts.length ? acts.map((act) => el('li', {},
  time(act.acted_at), ' ', el('strong', {}, act.actor), ` ${act.act} `,
  act.outbox_id ? el('a', { href: linkToEntry(act.outbox_id) }, act.destination ?? act.outbox_id)
    : act.destination === '*' ? 'everything' : act.destination ?? null,
  act.detail ? [' ', el('code', {}, act.detail)] : null, act.note ? `: ${act.note}` : null))
  : [el('li', { class: 'muted' }, 'Nobody has acted yet.')];
