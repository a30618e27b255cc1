// The line at the top that says what came of an act.

import { $ } from './dom.js';

export function notice(text, alarming = false) {
  $('#notice').textContent = text;
  $('#notice').classList.toggle('alarming', alarming);
}
