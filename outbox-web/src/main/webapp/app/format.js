// How values are shown.

import { el } from './dom.js';

export const STATUSES = ['pending', 'dispatching', 'outcome_unknown', 'failed', 'completed'];

export const statusName = (status) => status[0].toUpperCase() + status.slice(1).replaceAll('_', ' ');

export const count = (number) => number.toLocaleString('en');

/** One entry, 7 entries. */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function duration(seconds) {
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) {
    return '0 s';
  }
  const [name, size] = units[first];
  const whole = Math.floor(seconds / size);
  const rest = units[first + 1];
  const more = rest ? Math.floor((seconds - whole * size) / rest[1]) : 0;
  return more ? `${whole} ${name} ${more} ${rest[0]}` : `${whole} ${name}`;
}

export function milliseconds(ms) {
  if (ms >= 10000) {
    return duration(ms / 1000);
  }
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

const secondsSince = (instant) => (Date.now() - new Date(instant).getTime()) / 1000;

/** How far an instant is from now. */
export function distance(instant) {
  const seconds = secondsSince(instant);
  return seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
}

/** How long something has lasted. */
export const age = (instant) => duration(Math.max(0, secondsSince(instant)));

/** An instant in the reader's own zone. */
export const local = (instant) => new Date(instant).toLocaleString();

export const badge = (status) => el('span', { class: `badge ${status}` }, statusName(status));

export const time = (instant, shown = distance) =>
  el('time', { datetime: instant, title: `${local(instant)} (${instant})` }, shown(instant));

export const fullTime = (instant) =>
  el('time', { datetime: instant, title: instant }, `${local(instant)}, ${distance(instant)}`);

export const nothing = () => el('span', { class: 'muted' }, '–');

export const headRow = (...names) => el('tr', {}, names.map((name) => el('th', { scope: 'col', class: name === 'Acts' ? 'acts' : null }, name)));

export const emptyRow = (columns, text) => el('tr', {}, el('td', { colspan: columns, class: 'empty' }, text));

/** A button that has something done; main.js knows what stands behind each name. */
export const button = (name, text, data = {}, attributes = {}) =>
  el('button', { type: 'button', class: 'small secondary', 'data-do': name,
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [`data-${key}`, value])), ...attributes }, text);
