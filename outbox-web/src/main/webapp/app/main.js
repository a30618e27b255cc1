// The operator's page: everything that is shown is asked for every few seconds, and follows the address.

import * as api from './api.js';
import { $, replace } from './dom.js';
import { address, filter, follow, query } from './address.js';
import { startAsking } from './ask.js';
import { canActOnMany, openBulk, startBulkDialog } from './bulk.js';
import { showHour, startCharts } from './charts.js';
import { ENTRY_COLUMNS, entriesHead, entryRows, hidePager, showFilter, showPager, startFilter } from './entries.js';
import { counted, emptyRow } from './format.js';
import { notice } from './notice.js';
import * as overview from './overview.js';
import { act, knowRoles, refreshRecord, showRecord, startRecord } from './record.js';
import { steer, knowDestinations } from './steer.js';
import * as lists from './worklists.js';

const EVERY_MS = 5000;

/** The failed entries are many to look at: every so many turns, and when their number changes. */
const FAILED_EVERY = 12;

let timer;
let refreshing = 0;
let turn = 0;
let failedCount = -1;
/** Whether it was told who asks; until then nothing is offered but to look. */
let known = false;
let acts = false;
/** What was told last, for the rows that are made of both; null before. */
let stats = null;
let destinations = null;
/** The query that the entries which are shown answer; null while none are. */
let listed = null;

/** Each part is asked for and drawn by itself: one that fails leaves the others as they are. */
async function refresh() {
  clearTimeout(timer);
  const mine = ++refreshing;
  const current = () => mine === refreshing;
  const part = async (calls, draw, fail = () => {}) => {
    let answers;
    try {
      answers = await Promise.all(calls);
    } catch (problem) {
      if (current()) {
        fail(problem);
      }
      throw problem;
    }
    if (current()) {
      await draw(...answers);
    }
  };
  // What is offered follows from who asks.
  const me = known ? null : part([api.me()], showUser);
  await me?.catch(() => {});
  if (!current()) {
    return;
  }
  const wanted = query({ ...filter(), cursor: address().get('cursor') }).toString();
  const ended = await Promise.allSettled([
    me,
    part([api.health()], showHealth),
    part([api.stats()], (told) => showStats(told, current)),
    part([api.destinations()], showDestinations),
    part([api.pages({ status: 'outcome_unknown', limit: 100 }, lists.UNKNOWN_PAGES)], showUnknown),
    part([api.jobs(30), api.bulks()], ({ jobs }, { bulk: bulks }) => showJobs(jobs, bulks)),
    part([api.lastHour()], showHour),
    part([api.entries(wanted)], (page) => showEntries(page, wanted), (problem) => showNoEntries(problem, wanted)),
    $('#audit').open ? part([api.audit(20)], (page) => replace($('#audit ul'), ...lists.auditLines(page.acts))) : null,
    refreshRecord(),
  ]);
  if (!current()) {
    return;
  }
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed && !(failed.reason instanceof api.Problem)) {
    console.error(failed.reason);
  }
  freshness(failed ? `Not up to date: ${failed.reason.message}`
    : `As of ${new Date().toLocaleTimeString()}, every ${EVERY_MS / 1000} s`, Boolean(failed));
  if (!document.hidden) {
    timer = setTimeout(refresh, EVERY_MS);
  }
}

function freshness(text, alarming) {
  $('#freshness').textContent = text;
  $('#freshness').classList.toggle('alarming', alarming);
}

function showUser({ user, roles }) {
  known = true;
  acts = roles.includes('outbox-operator');
  $('#user').textContent = user;
  document.querySelectorAll('[data-operator]').forEach((part) => {
    part.hidden = !acts;
  });
  knowRoles(roles);
  showHeads();
  failedCount = -1;
}

function showHeads() {
  replace($('#backlog thead'), overview.destinationsHead(acts));
  replace($('#unknown thead'), lists.unknownHead());
  replace($('#failed thead'), lists.failedHead(acts));
  replace($('#running thead'), lists.runningHead(acts));
  replace($('#entries thead'), entriesHead());
}

function showHealth(health) {
  replace($('#health'), overview.healthState(health));
  replace($('#problems'), ...overview.problems(health));
}

function showDestinations(told) {
  destinations = told;
  knowDestinations(told);
  $('#hold-all').textContent = told.hold.held ? 'Resume all' : 'Hold all';
  $('#hold-all').dataset.do = told.hold.held ? 'resume' : 'hold';
  showBacklog();
}

function showBacklog() {
  if (destinations) {
    replace($('#backlog tbody'), ...overview.destinationRows(destinations, stats, acts));
  }
}

async function showStats(told, current) {
  stats = told;
  replace($('#figures'), ...overview.figures(stats));
  $('#figures-as-of').textContent = `Counted at ${new Date(stats.as_of).toLocaleTimeString()}.`;
  showBacklog();
  const failed = stats.counts.filter(({ status }) => status === 'failed').reduce((sum, { count }) => sum + count, 0);
  turn += 1;
  if (failed !== failedCount || turn % FAILED_EVERY === 0) {
    await showFailed(failed, current);
  }
}

function showUnknown(page) {
  replace($('#unknown tbody'), ...lists.unknownRows(page));
  replace($('#unknown-note'), ...lists.unknownNote(page));
}

async function showFailed(number, current) {
  // Until they are drawn, each turn asks for them.
  failedCount = -1;
  const page = await api.entries(query({ status: 'failed', limit: lists.LOOKED_AT }));
  if (!current()) {
    return;
  }
  failedCount = number;
  replace($('#failed tbody'), ...lists.failedRows(page, acts));
  $('#failed-note').textContent = page.next_cursor ? `Of the newest ${counted(page.entries.length, 'entry', 'entries')}.` : '';
}

function showJobs(jobs, bulks) {
  replace($('#running tbody'), ...lists.runningRows(jobs, bulks, acts));
  replace($('#ended'), ...lists.endedLines(jobs, bulks));
}

function showEntries(page, wanted) {
  listed = wanted;
  replace($('#entries tbody'), ...entryRows(page));
  showPager(page);
  $('#entries-bulk').disabled = !canActOnMany(filter().status);
  $('#export').href = api.exportAddress(query(filter()));
  // Without a status the export has the unknown outcomes alone.
  $('#export').hidden = !filter().status;
}

/** Rows, pages and export of another filter than the one that is shown would be taken for those of this one. */
function showNoEntries(problem, wanted) {
  if (listed === wanted) {
    return;
  }
  listed = null;
  replace($('#entries tbody'), emptyRow(ENTRY_COLUMNS, problem.message));
  hidePager();
  $('#entries-bulk').disabled = true;
  $('#export').hidden = true;
}

function show() {
  showFilter();
  showRecord();
  refresh();
}

const DOES = {
  act,
  bulk: ({ act: wanted, filter: given }) => openBulk(wanted, given ? JSON.parse(given) : filter()),
  ...steer({ changed: refresh }),
};

function pressed(event) {
  const button = event.target.closest('button[data-do]');
  if (button) {
    if (!button.closest('dialog')) {
      notice('');
    }
    DOES[button.dataset.do](button.dataset);
  }
}

function start() {
  document.addEventListener('click', follow);
  document.addEventListener('click', pressed);
  window.addEventListener('popstate', show);
  window.addEventListener('outbox:changed', refresh);
  document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : refresh());
  $('#audit').addEventListener('toggle', refresh);
  startFilter();
  startAsking();
  startBulkDialog();
  startCharts();
  startRecord();
  showHeads();
  $('#unknown-export').href = api.exportAddress(query({ status: 'outcome_unknown' }));
  show();
}

start();
