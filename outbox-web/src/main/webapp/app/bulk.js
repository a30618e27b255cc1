// Acts on all entries that pass a filter: counted first, then confirmed, then watched.

import * as api from './api.js';
import { $, el, replace } from './dom.js';
import { badge, counted, time } from './format.js';
import { notice } from './notice.js';
import { bulkCounts, progress } from './worklists.js';

const ACTS = {
  resubmit: { of: 'failed', label: 'Resubmit', does: 'Each becomes pending, due at once, with a whole budget of attempts.' },
  reconcile: { of: 'outcome_unknown', label: 'Reconcile', does: 'Their remotes are asked what became of each. Nothing is sent.' },
  fail: { of: 'outcome_unknown', label: 'Fail', does: 'Each becomes failed. It is sent again only if somebody resubmits it.' },
  reschedule: { of: 'pending', label: 'Reschedule', does: 'Each is not sent before the time that you give.' },
};

const EVERY_MS = 700;

let filter = {};
/** What was counted: the act and its values, and to how many entries it would be done. */
let counts = null;
let running = null;
/** How often the dialog was opened or closed: an answer to what was asked before is not told in another. */
let turn = 0;
/** Why the last look at the running act failed; empty if it did not. */
let lost = '';

/** Whether there is an act for many entries of this status, or of any. */
export const canActOnMany = (status) => !status || Object.values(ACTS).some(({ of }) => of === status);

/** Opens the dialog; only acts that the filter's status allows are offered. */
export function openBulk(wanted, given) {
  filter = given;
  leave();
  const possible = Object.keys(ACTS).filter((name) => !given.status || ACTS[name].of === given.status);
  const form = $('#bulk-form');
  form.reset();
  form.elements.act.replaceChildren(...possible.map((name) =>
    el('option', { value: name, selected: name === wanted }, `${ACTS[name].label} what is ${ACTS[name].of.replaceAll('_', ' ')}`)));
  form.elements.next_attempt_at.value = '';
  const told = Object.entries(given).filter(([name]) => name !== 'status');
  $('#bulk-filter').replaceChildren(...(told.length
    ? told.flatMap(([name, value]) => [el('dt', {}, name.replaceAll('_', ' ')), el('dd', {}, el('code', {}, value))])
    : [el('dt', {}, 'filter'), el('dd', {}, 'none: every entry')]));
  uncount();
  $('#bulk').showModal();
  form.elements.act.focus();
}

function leave() {
  turn += 1;
  running = null;
  lost = '';
}

/** What was counted is no longer what would be done. */
function uncount() {
  const form = $('#bulk-form');
  const act = form.elements.act.value;
  counts = null;
  $('#bulk-does').textContent = ACTS[act].does;
  only('code', act === 'fail');
  only('next_attempt_at', act === 'reschedule');
  $('#bulk-plan').replaceChildren();
  $('#bulk-error').textContent = '';
  $('#bulk-start').hidden = true;
  $('#bulk-count').hidden = false;
  $('#bulk-fields').disabled = false;
  $('#bulk-cancel').hidden = true;
}

function only(name, needed) {
  const input = $('#bulk-form').elements[name];
  input.disabled = !needed;
  input.closest('label').hidden = !needed;
}

function body() {
  const { act, code, next_attempt_at: at } = $('#bulk-form').elements;
  const { status, ...others } = filter;
  return { act: act.value, filter: others, ...(code.disabled ? {} : { code: code.value.trim() }),
    ...(at.disabled ? {} : { next_attempt_at: new Date(at.value).toISOString() }) };
}

async function count(event) {
  event.preventDefault();
  if (counts) {
    return;
  }
  const asked = body();
  const mine = turn;
  await attempt($('#bulk-count'), async () => {
    const plan = await api.startBulk({ ...asked, dry_run: true });
    if (mine !== turn || JSON.stringify(asked) !== JSON.stringify(body())) {
      return;
    }
    counts = { asked, number: plan.count };
    const { label } = ACTS[asked.act];
    $('#bulk-plan').replaceChildren(
      el('p', { tabindex: '-1', id: 'bulk-number' }, el('strong', {}, `${label} would be done to ${counted(plan.count, 'entry', 'entries')}`),
        plan.count > plan.first.length ? `, beginning with these ${plan.first.length}:` : plan.count ? ':' : '.'),
      el('ul', { class: 'lines' }, plan.first.map(({ entry, last_failure: failure }) => el('li', {},
        badge(entry.status), ` ${entry.destination} `, el('code', {}, entry.idempotency_key), ', ', time(entry.created_at),
        failure ? [', ', el('code', {}, failure)] : null))));
    $('#bulk-start').textContent = `${label} ${counted(plan.count, 'entry', 'entries')}`;
    $('#bulk-start').hidden = plan.count === 0;
    $('#bulk-count').hidden = plan.count > 0;
    $('#bulk-number').focus();
  });
}

async function start() {
  const { asked, number } = counts;
  const note = $('#bulk-form').elements.note.value.trim();
  const mine = turn;
  await attempt($('#bulk-start'), async () => {
    const started = await api.startBulk({ ...asked, expected: number, ...(note ? { note } : {}) });
    if (mine !== turn) {
      return;
    }
    running = started;
    $('#bulk-start').hidden = true;
    $('#bulk-fields').disabled = true;
    $('#bulk-cancel').hidden = false;
    $('#bulk-cancel').focus();
    watch();
  });
}

function watch() {
  if (running.status === 'running') {
    replace($('#bulk-plan'), ...progress(running));
    setTimeout(look, EVERY_MS, running.bulk_id);
    return;
  }
  $('#bulk-plan').replaceChildren(
    el('p', { tabindex: '-1', id: 'bulk-number' }, el('strong', {}, `The bulk act has ${running.status}: ${bulkCounts(running)}.`),
      running.skipped ? ' Skipped are those that were held by another transaction, or had moved on.' : null));
  $('#bulk-cancel').hidden = true;
  $('#bulk-number').focus();
  window.dispatchEvent(new Event('outbox:changed'));
}

/** One that fails is said, and does not end the watch. */
async function look(id) {
  let now = running;
  let problem = '';
  try {
    now = await api.bulk(id);
  } catch ({ message }) {
    problem = message;
  }
  if (running?.bulk_id !== id) {
    return;
  }
  running = now;
  if (problem !== lost) {
    lost = problem;
    $('#bulk-error').textContent = problem;
  }
  watch();
}

/** Does it with the button busy, once at a time; what goes wrong is said in the dialog, or at the top if that was left. */
async function attempt(button, action) {
  if (button.hasAttribute('aria-busy')) {
    return;
  }
  const mine = turn;
  $('#bulk-error').textContent = '';
  button.setAttribute('aria-busy', 'true');
  try {
    await action();
  } catch (problem) {
    if (mine !== turn) {
      notice(problem.message, true);
      return;
    }
    $('#bulk-error').textContent = problem.message;
    if (problem.code === 'turnframe.admin.bulk_changed') {
      const reason = problem.message;
      uncount();
      $('#bulk-error').textContent = reason;
    }
  } finally {
    button.removeAttribute('aria-busy');
  }
}

export function startBulkDialog() {
  $('#bulk-form').addEventListener('submit', count);
  $('#bulk-form').addEventListener('change', (event) => event.target.name !== 'note' && uncount());
  $('#bulk-start').addEventListener('click', start);
  $('#bulk-cancel').addEventListener('click', () => attempt($('#bulk-cancel'), () => api.cancelBulk(running.bulk_id)));
  $('#bulk-close').addEventListener('click', () => $('#bulk').close());
  $('#bulk').addEventListener('close', leave);
}
