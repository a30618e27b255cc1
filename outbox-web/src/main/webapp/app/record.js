// The record that the address names: what is known of it, its story, and what may be done to it.

import * as api from './api.js';
import { $, el, replace } from './dom.js';
import { address, go, link, linkToEntry } from './address.js';
import { actsOn, meaningOf, outcomeOf, questionOf } from './acts.js';
import { ask } from './ask.js';
import { badge, button, count, fullTime } from './format.js';
import { notice } from './notice.js';
import { timeline, untold } from './timeline.js';

let roles = [];
/** The record that is shown and the tag of its version; null while there is none. */
let shown = null;
/** How often it was asked for, and which of the answers was told last: a slow one must not cover a later one. */
let asked = 0;
let told = 0;
/** Whether the notice says that it could not be loaded. */
let failing = false;

const openId = () => address().get('entry');

/** Shows the record that the address names, or none. */
export async function showRecord() {
  const dialog = $('#record');
  const id = openId();
  if (!id) {
    dialog.close();
    return;
  }
  if (shown?.id !== id) {
    shown = null;
    clear();
  }
  if (!dialog.open) {
    dialog.showModal();
  }
  await refreshRecord();
}

function clear() {
  $('#record-title').textContent = 'Entry';
  say('');
  for (const part of ['#record-meaning', '#record-acts', '#record-fields', '#record-story', '#record-untold', '#record-payload pre']) {
    $(part).replaceChildren();
  }
  $('#record-payload').open = false;
  $('#record-payload').hidden = true;
}

function say(text, alarming = false) {
  failing = false;
  $('#record-notice').textContent = text;
  $('#record-notice').classList.toggle('alarming', alarming);
}

/** Loads it again, if it has changed; says so when that fails. */
export async function refreshRecord() {
  const id = openId();
  if (!id) {
    return;
  }
  const mine = ++asked;
  try {
    const loaded = await api.record(id, shown?.tag);
    if (openId() !== id || mine < told || !(loaded ?? shown)) {
      return;
    }
    told = mine;
    if (failing) {
      say('');
    }
    const before = shown;
    if (loaded) {
      shown = { id, ...loaded };
    }
    draw();
    if (before && before.tag !== shown.tag) {
      // Its payload may have been erased.
      $('#record-payload pre').replaceChildren();
      showPayload();
    }
  } catch (problem) {
    if (openId() === id && mine >= told) {
      told = mine;
      say(problem.message, true);
      failing = true;
    }
  }
}

function draw() {
  const { record } = shown;
  const { entry } = record;
  $('#record-title').textContent = entry.idempotency_key;
  replace($('#record-meaning'), badge(entry.status), ' ', meaningOf(record));
  replace($('#record-acts'), ...(roles.includes('outbox-operator') ? actsOn(record) : [])
    .map(({ name, label }) => button('act', label, { act: name }, { id: `act-${name}` })));
  replace($('#record-fields'), ...fields(record));
  replace($('#record-story'), ...timeline(record));
  $('#record-untold').textContent = untold(record) ?? '';
  $('#record-payload').hidden = !roles.includes('outbox-payload');
  $('#record-payload summary').textContent = record.payload_erased ? 'Payload (erased)' : 'Payload';
}

function fields({ entry, claim, last_failure: failure, remote_ref: ref, unknown_since: since }) {
  const all = [
    ['Destination', el('a', { id: 'x-destination', href: link({ destination: entry.destination }), 'data-to': 'entries-title' }, entry.destination)],
    ['Attempts', count(entry.attempt_count)],
    ['Last failure', failure && el('code', {}, failure)],
    ['Remote reference', ref && el('code', {}, ref)],
    ['Unknown since', since && fullTime(since)],
    ['Next attempt', entry.status === 'pending' && entry.next_attempt_at && fullTime(entry.next_attempt_at)],
    ['Claimed by', claim && el('code', {}, claim.worker_id)],
    ['Idempotency key', el('code', {}, entry.idempotency_key)],
    ['Command', el('a', { id: 'x-command', href: link({ command_id: entry.command_id }), 'data-to': 'entries-title' }, el('code', {}, entry.command_id))],
    ['Outbox id', el('code', {}, entry.outbox_id)],
  ];
  return all.filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]);
}

/**
 * Asks, and acts on the version that was shown when the question was asked. An answer that comes when another record is
 * open, or none, is told at the top of the page.
 */
export function act({ act: name }) {
  const { id, tag, record } = shown;
  const open = () => openId() === id;
  ask(questionOf(name, record), async (values) => {
    let outcome;
    let stale = false;
    try {
      outcome = outcomeOf(name, await api.act(id, name, values, tag));
    } catch (problem) {
      if (!problem.isStale) {
        throw problem;
      }
      outcome = 'It was changed meanwhile, and nothing was done.';
      stale = true;
    }
    if (open()) {
      // The payload may be another by now.
      $('#record-payload').open = false;
      $('#record-payload pre').replaceChildren();
      await refreshRecord();
    }
    if (!open()) {
      notice(`${record.entry.idempotency_key}: ${outcome}`, stale);
      return null;
    }
    say(stale && !failing ? `${outcome} This is how it is now.` : outcome, stale);
    return $('#record-notice');
  });
}

async function showPayload() {
  const target = $('#record-payload pre');
  if (!$('#record-payload').open || !shown || target.textContent) {
    return;
  }
  const { id, tag } = shown;
  const current = () => shown?.id === id && shown.tag === tag;
  try {
    const text = await api.payload(id);
    if (current()) {
      target.textContent = text;
    }
  } catch (problem) {
    if (current()) {
      say(problem.message, true);
    }
  }
}

function closed() {
  if ($('#record').open) {
    // Another one was opened before this was told.
    return;
  }
  shown = null;
  clear();
  const id = openId();
  if (id) {
    go(linkToEntry(null));
    // The link that opened it may have been drawn anew since.
    (document.getElementById(`e-${id}`) ?? document.getElementById(`u-${id}`))?.focus();
  }
}

/** @param own the roles of the caller */
export const knowRoles = (own) => {
  roles = own;
};

export function startRecord() {
  $('#record').addEventListener('close', closed);
  $('#record-close').addEventListener('click', () => $('#record').close());
  $('#record-payload').addEventListener('toggle', showPayload);
}
