// What is the matter, the figures, and the destinations.

import { el } from './dom.js';
import { link } from './address.js';
import { STATUSES, button, count, counted, duration, emptyRow, nothing, statusName, time } from './format.js';

const HINTS = {
  'turnframe.health.backlog_age': 'Is it held, limited or failing? Its row below tells.',
  'turnframe.health.dispatch_off': 'Dispatch now sends what is due once; outbox.dispatch.enabled=true has this node do so by itself.',
  'turnframe.health.held': 'Resume it below once its cause is gone.',
  'turnframe.health.unroutable': 'Its sender is not deployed or not configured here.',
  'turnframe.health.unknown_overdue': 'Reconcile them below, or look at the remote and say what you saw.',
  'turnframe.store.unavailable': 'Nothing is lost: what was not settled is settled or released when the database is back.',
};

const STATE_NAMES = { up: 'Up', degraded: 'Degraded', down: 'Down' };

export const healthState = (health) =>
  el('span', { class: `health ${health.status}` }, STATE_NAMES[health.status] ?? health.status);

/** The reasons, or that there is none. */
export function problems(health) {
  if (health.problems.length === 0) {
    return [el('li', { class: 'muted' }, 'Nothing needs a person.')];
  }
  return health.problems.map(({ code, destination, detail }) => el('li', {},
    destination ? el('strong', {}, `${destination}: `) : null, `${detail}. `,
    el('span', { class: 'muted' }, HINTS[code] ?? code)));
}

export function figures(stats) {
  const total = (status) =>
    stats.counts.filter((c) => c.status === status).reduce((sum, c) => sum + c.count, 0);
  const figure = (name, value, alarming, more) => el('div', { class: alarming ? 'alarming' : null },
    el('dt', {}, name), el('dd', {}, value, more ? el('small', {}, more) : null));
  const unknown = total('outcome_unknown');
  const about = [
    stats.unknown_overdue ? `${count(stats.unknown_overdue)} overdue` : null,
    stats.unknown_without_reconciler ? `${count(stats.unknown_without_reconciler)} without a reconciler` : null,
  ].filter(Boolean).join(', ');
  const oldest = stats.oldest_due_age_seconds;
  return [
    figure('Due now', count(stats.due_now)),
    figure('Oldest due', oldest === undefined ? '–' : duration(oldest)),
    figure('Dispatching', count(total('dispatching'))),
    figure('Outcome unknown', count(unknown), unknown > 0, about),
    figure('Failed', count(total('failed')), total('failed') > 0),
  ];
}

export const destinationsHead = (acts) => el('tr', {}, el('th', { scope: 'col' }, 'Destination'),
  el('th', { scope: 'col' }, 'State'), el('th', { scope: 'col', class: 'number' }, 'Oldest due'),
  STATUSES.map((status) => el('th', { scope: 'col', class: 'number' }, statusName(status))),
  acts ? el('th', { scope: 'col', class: 'acts' }, 'Acts') : null);

/**
 * Those that are configured, and those that have entries.
 *
 * @param stats null while the numbers are not known
 */
export function destinationRows({ hold, destinations }, stats, acts) {
  const rows = new Map(destinations.map((state) => [state.name, { state, counts: {} }]));
  const row = (name) => rows.get(name) ?? rows.set(name, { counts: {} }).get(name);
  stats?.counts.forEach((of) => {
    row(of.destination).counts[of.status] = of.count;
  });
  stats?.due.forEach((of) => {
    row(of.destination).oldest = of.oldest_age_seconds;
  });
  if (rows.size === 0) {
    return [emptyRow(STATUSES.length + 3 + (acts ? 1 : 0), 
      stats ? 'No destination is configured, and nothing was enqueued yet.' : 'No destination is configured.')];
  }
  return [...rows].sort(([one], [other]) => one.localeCompare(other)).map(([name, { state, counts, oldest }]) => {
    const id = encodeURIComponent(name);
    return el('tr', { id: `d-${id}` },
      el('th', { scope: 'row' }, el('a', { id: `b-${id}`, href: link({ destination: name }), 'data-to': 'entries-title' }, name)),
      el('td', { 'data-label': 'State' }, stateOf(state, hold)),
      el('td', { 'data-label': 'Oldest due', class: oldest === undefined ? 'number none' : 'number' },
        oldest === undefined ? nothing() : duration(oldest)),
      STATUSES.map((status) => el('td', { 'data-label': statusName(status), class: counts[status] ? 'number' : 'number none' },
        counts[status]
          ? el('a', { id: `b-${id}-${status}`, href: link({ destination: name, status }), 'data-to': 'entries-title' }, count(counts[status]))
          : stats ? el('span', { class: 'muted' }, '0') : nothing())),
      acts ? el('td', { class: 'acts' },
        button(state?.held ? 'resume' : 'hold', state?.held ? 'Resume' : 'Hold', { destination: name },
          { id: `h-${id}`, 'aria-label': `${state?.held ? 'Resume' : 'Hold'} ${name}` }),
        button('limit', 'Limit', { destination: name }, { id: `l-${id}`, 'aria-label': `Limit ${name}` })) : null);
  });
}

/** Why it flows, or does not; most pressing first. */
function stateOf(state, hold) {
  const parts = [];
  const tell = (kind, text, ...more) =>
    parts.push(el('div', {}, el('span', { class: `state-name ${kind}` }, text), more.length ? [' ', more] : null));
  if (hold.held) {
    tell('stopped', 'All held');
  }
  if (state?.held) {
    tell('stopped', 'Held', said(state));
  }
  if (!state?.routable) {
    tell('stopped', 'No sender here');
  }
  if (state?.breaker) {
    const code = state.breaker_code ? [el('code', {}, state.breaker_code), ', '] : [];
    tell('stopped', 'Failing', ...code, state.breaker === 'probing' ? 'one entry is tried now'
      : `next try in ${duration(state.probe_in_seconds ?? 0)}`);
  }
  if (state?.concurrency || state?.rate) {
    const limits = [
      state.concurrency ? `${counted(state.concurrency, 'claim')} at once` : null,
      state.rate ? `${count(state.rate)} a second` : null,
    ].filter(Boolean).join(', ');
    tell('slowed', 'Limited', limits, state.held ? null : [' ', said(state)]);
  }
  if (parts.length === 0) {
    tell('flowing', 'Flowing');
  }
  if (state?.in_flight) {
    parts.push(el('div', { class: 'muted' }, `${count(state.in_flight)} in flight here`));
  }
  return parts;
}

const said = ({ changed_by: by, changed_at: at, note }) => by
  ? el('span', { class: 'muted' }, `by ${by} `, at ? time(at) : null, note ? `: ${note}` : null) : null;
