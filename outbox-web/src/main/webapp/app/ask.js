// The one dialog that asks before something is done.

import { $, el } from './dom.js';
import { Problem } from './api.js';
import { notice } from './notice.js';

let submit = null;

/** The field that most acts have. */
export const NOTE = { name: 'note', label: 'Note', hint: 'Why, for the record', maxlength: 512 };

/**
 * Asks; what is confirmed is done before the dialog closes, which stays open with the reason if it was refused. If somebody
 * has closed it before, the reason is told at the top of the page.
 *
 * @param question title, text, confirm (what the button says), fields; about, what it is done to, if the title does not say it
 * @param perform is given the values of the fields, those that are empty left out; what it answers gets the focus
 */
export function ask({ title, text, confirm, about, fields = [NOTE] }, perform) {
  $('#ask-title').textContent = title;
  $('#ask-text').replaceChildren(...[text].flat().map((part) => el('p', {}, part)));
  $('#ask-fields').replaceChildren(...fields.map(field));
  $('#ask-confirm').textContent = confirm;
  $('#ask-error').textContent = '';
  busy(false);
  submit = { about: about ? `${title} ${about}:` : title, perform: () => perform(values(fields)) };
  $('#ask').showModal();
  // Not the button: a key that was meant for something else must not confirm.
  ($('#ask-fields').querySelector('input') ?? $('#ask-cancel')).focus();
}

function field({ name, label, hint, type = 'text', value, required, ...attributes }) {
  return el('label', {}, required ? label : `${label} (optional)`,
    el('input', { type, name, value, required, autocomplete: 'off', 'aria-describedby': `ask-${name}`, ...attributes }),
    el('small', { id: `ask-${name}` }, hint));
}

function values(fields) {
  const read = {};
  for (const { name, type } of fields) {
    const input = $('#ask-fields').querySelector(`[name="${name}"]`);
    if (input.value.trim()) {
      read[name] = type === 'number' ? Number(input.value)
        : type === 'datetime-local' ? new Date(input.value).toISOString() : input.value.trim();
    }
  }
  return read;
}

function busy(yes) {
  $('#ask-confirm').disabled = yes;
  $('#ask-confirm').setAttribute('aria-busy', String(yes));
}

async function confirmed(event) {
  event.preventDefault();
  const mine = submit;
  if (!mine || $('#ask-confirm').disabled) {
    return;
  }
  $('#ask-error').textContent = '';
  busy(true);
  try {
    const next = await mine.perform();
    if (submit === mine) {
      $('#ask').close();
      next?.focus();
    }
  } catch (problem) {
    if (!(problem instanceof Problem)) {
      throw problem;
    }
    if (submit === mine) {
      $('#ask-error').textContent = problem.message;
    } else {
      notice(`${mine.about} ${problem.message}`, true);
    }
  } finally {
    if (submit === mine) {
      busy(false);
    }
  }
}

export function startAsking() {
  $('#ask-form').addEventListener('submit', confirmed);
  $('#ask-cancel').addEventListener('click', () => $('#ask').close());
  $('#ask').addEventListener('close', () => {
    submit = null;
  });
}
