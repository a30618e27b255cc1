// Turns what the resource answers into elements.

import { el } from './dom.js';
import { STATUSES, count, distance, duration, local, statusName } from './format.js';

const badge = (status) => el('span', { class: `badge ${status}` }, statusName(status));

const time = (instant) =>
  el('time', { datetime: instant, title: `${local(instant)} (${instant})` }, distance(instant));

const fullTime = (instant) =>
  el('time', { datetime: instant, title: instant }, `${local(instant)}, ${distance(instant)}`);

export function figures(stats) {
  const total = (status) =>
    stats.counts.filter((c) => c.status === status).reduce((sum, c) => sum + c.count, 0);
  const figure = (name, value, alarming) =>
    el('div', { class: alarming ? 'alarming' : null }, el('dt', {}, name), el('dd', {}, value));
  const age = stats.oldest_due_age_seconds;
  return [
    figure('Due now', count(stats.due_now)),
    figure('Oldest due', age === undefined ? '–' : duration(age)),
    figure('Dispatching', count(total('dispatching'))),
    figure('Outcome unknown', count(total('outcome_unknown')), total('outcome_unknown') > 0),
    figure('Unknown, overdue', count(stats.unknown_overdue), stats.unknown_overdue > 0),
    figure('Failed', count(total('failed')), total('failed') > 0),
  ];
}

export function backlogHead() {
  return el('tr', {}, el('th', { scope: 'col' }, 'Destination'),
    ...STATUSES.map((status) => el('th', { scope: 'col', class: 'number' }, statusName(status))));
}

/** @param link makes the address of a filter */
export function backlogRows(stats, link) {
  const destinations = new Map();
  for (const { destination, status, count: number } of stats.counts) {
    destinations.set(destination, { ...destinations.get(destination), [status]: number });
  }
  if (destinations.size === 0) {
    return [el('tr', {}, el('td', { colspan: STATUSES.length + 1, class: 'empty' }, 'Nothing was enqueued yet.'))];
  }
  let row = 0;
  return [...destinations].map(([destination, counts]) => {
    row += 1;
    const cells = STATUSES.map((status) => el('td', { 'data-label': statusName(status), class: counts[status] ? 'number' : 'number none' },
      counts[status]
        ? el('a', { id: `b-${row}-${status}`, href: link({ destination, status }) }, count(counts[status]))
        : el('span', { class: 'muted' }, '0')));
    return el('tr', {},
      el('th', { scope: 'row' }, el('a', { id: `b-${row}`, href: link({ destination }) }, destination)), ...cells);
  });
}

export function entriesHead() {
  return el('tr', {}, ...['Key', 'Status', 'Destination', 'Attempts', 'Created', 'Last failure']
    .map((name) => el('th', { scope: 'col' }, name)));
}

/** @param link makes the address of one entry */
export function entryRows(page, link) {
  if (page.entries.length === 0) {
    return [el('tr', {}, el('td', { colspan: 6, class: 'empty' }, 'No entry passes this filter.'))];
  }
  return page.entries.map(({ entry, last_failure: failure }) => el('tr', {},
    el('th', { scope: 'row' },
      el('a', { id: `e-${entry.outbox_id}`, href: link(entry.outbox_id) }, entry.idempotency_key)),
    el('td', { 'data-label': 'Status' }, badge(entry.status)),
    el('td', { 'data-label': 'Destination' }, entry.destination),
    el('td', { 'data-label': 'Attempts' }, count(entry.attempt_count)),
    el('td', { 'data-label': 'Created' }, time(entry.created_at)),
    el('td', { 'data-label': 'Last failure', class: failure ? null : 'none' },
      failure ? el('code', {}, failure) : el('span', { class: 'muted' }, '–'))));
}

/** @param link makes the address of a filter */
export function recordFields({ entry, claim, last_failure: failure, remote_ref: ref }, link) {
  const fields = [
    ['Outbox id', el('code', {}, entry.outbox_id)],
    ['Command', el('a', { href: link({ command_id: entry.command_id }) }, el('code', {}, entry.command_id))],
    ['Destination', el('a', { href: link({ destination: entry.destination }) }, entry.destination)],
    ['Idempotency key', el('code', {}, entry.idempotency_key)],
    ['Status', badge(entry.status)],
    ['Attempts', count(entry.attempt_count)],
    ['Created', fullTime(entry.created_at)],
    ['Next attempt', entry.next_attempt_at && fullTime(entry.next_attempt_at)],
    ['Completed', entry.completed_at && fullTime(entry.completed_at)],
    ['Claimed by', claim && el('code', {}, claim.worker_id)],
    ['Claimed', claim && fullTime(claim.claimed_at)],
    ['Last failure', failure && el('code', {}, failure)],
    ['Remote reference', ref && el('code', {}, ref)],
  ];
  return fields.filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]);
}
