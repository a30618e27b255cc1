// The operator's first page: the address holds the filter, the page and the open record; everything else follows it.

import * as api from './api.js';
import { $, replace } from './dom.js';
import * as render from './render.js';

const FILTERS = ['status', 'destination', 'command_id'];
const EVERY_MS = 5000;

let timer;
let refreshing = 0;
let roles = [];

const address = () => new URLSearchParams(location.search);

const query = (parameters) => new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));

/** An address with these parameters and no others. */
const link = (parameters) => `?${query(parameters)}`;

const filter = () => Object.fromEntries(FILTERS.map((name) => [name, address().get(name) ?? '']));

function go(href) {
  history.pushState(null, '', href === '?' ? location.pathname : href);
  show();
}

function notice(text, alarming = false) {
  $('#notice').textContent = text;
  $('#notice').classList.toggle('alarming', alarming);
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++refreshing;
  const cursor = address().get('cursor') ?? '';
  try {
    const [stats, page] = await Promise.all([api.stats(), api.entries(query({ ...filter(), cursor }))]);
    if (mine !== refreshing) {
      return;
    }
    replace($('#figures'), ...render.figures(stats));
    replace($('#backlog tbody'), ...render.backlogRows(stats, link));
    replace($('#entries tbody'), ...render.entryRows(page, (entry) => link({ ...filter(), cursor, entry })));
    pager('#newest', cursor && link(filter()));
    pager('#older', page.next_cursor && link({ ...filter(), cursor: page.next_cursor }));
    freshness(`As of ${new Date().toLocaleTimeString()}, refreshed every ${EVERY_MS / 1000} s`, false);
  } catch (problem) {
    if (mine !== refreshing) {
      return;
    }
    freshness(`Not up to date: ${problem.message}`, true);
  }
  if (!document.hidden) {
    timer = setTimeout(refresh, EVERY_MS);
  }
}

function freshness(text, alarming) {
  $('#freshness').textContent = text;
  $('#freshness').classList.toggle('alarming', alarming);
}

function pager(selector, href) {
  const anchor = $(selector);
  anchor.hidden = !href;
  if (href) {
    anchor.href = href;
  }
}

async function showRecord(id) {
  const dialog = $('#record');
  if (!id) {
    dialog.close();
    return;
  }
  $('#record-error').hidden = true;
  $('#record-payload').hidden = true;
  $('#record-payload').open = false;
  $('#record-payload pre').textContent = '';
  replace($('#record-fields'));
  if (!dialog.open) {
    dialog.showModal();
  }
  try {
    const record = await api.record(id);
    if (address().get('entry') !== id) {
      return;
    }
    replace($('#record-fields'), ...render.recordFields(record, link));
    $('#record-payload').hidden = !roles.includes('outbox-payload');
  } catch (problem) {
    $('#record-error').textContent = problem.message;
    $('#record-error').hidden = false;
  }
}

async function showPayload() {
  const target = $('#record-payload pre');
  const id = address().get('entry');
  if (!$('#record-payload').open || !id || target.textContent) {
    return;
  }
  try {
    target.textContent = await api.payload(id);
  } catch (problem) {
    target.textContent = problem.message;
  }
}

function show() {
  for (const [name, value] of Object.entries(filter())) {
    $('#filter').elements[name].value = value;
  }
  showRecord(address().get('entry'));
  refresh();
}

async function dispatch() {
  const button = $('#dispatch');
  button.setAttribute('aria-busy', 'true');
  button.disabled = true;
  try {
    const { execution_id: id } = await api.dispatch();
    notice(`Dispatch started, execution ${id}.`);
    setTimeout(refresh, 1000);
  } catch (problem) {
    notice(`Dispatch was not started: ${problem.message}`, true);
  } finally {
    button.removeAttribute('aria-busy');
    button.disabled = false;
  }
}

/** Links within the page change the address without loading it anew. */
function follow(event) {
  const anchor = event.target.closest('a[href^="?"]');
  if (!anchor || event.defaultPrevented || event.button !== 0
      || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
    return;
  }
  event.preventDefault();
  go(anchor.getAttribute('href'));
}

function closeRecord() {
  const left = address();
  const id = left.get('entry');
  if (id) {
    left.delete('entry');
    go(`?${left}`);
    // The link that opened it may have been drawn anew since.
    document.getElementById(`e-${id}`)?.focus();
  }
}

async function start() {
  $('#backlog thead').replaceChildren(render.backlogHead());
  $('#entries thead').replaceChildren(render.entriesHead());
  document.addEventListener('click', follow);
  window.addEventListener('popstate', show);
  document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : refresh());
  $('#filter').addEventListener('submit', (event) => {
    event.preventDefault();
    go(link(Object.fromEntries(new FormData(event.target))));
  });
  $('#record').addEventListener('close', closeRecord);
  $('#record-close').addEventListener('click', () => $('#record').close());
  $('#record-payload').addEventListener('toggle', showPayload);
  $('#dispatch').addEventListener('click', dispatch);
  try {
    const me = await api.me();
    roles = me.roles;
    $('#user').textContent = me.user;
    $('#dispatch').hidden = !roles.includes('outbox-operator');
  } catch (problem) {
    notice(problem.message, true);
  }
  show();
}

start();
