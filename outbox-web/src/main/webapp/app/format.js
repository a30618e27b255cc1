// How values are shown.

export const STATUSES = ['pending', 'dispatching', 'outcome_unknown', 'failed', 'completed'];

export const statusName = (status) => status[0].toUpperCase() + status.slice(1).replaceAll('_', ' ');

export const count = (number) => number.toLocaleString('en');

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

/** How far an instant is from now. */
export function distance(instant) {
  const seconds = (Date.now() - new Date(instant).getTime()) / 1000;
  return seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
}

/** An instant in the reader's own zone. */
export const local = (instant) => new Date(instant).toLocaleString();
