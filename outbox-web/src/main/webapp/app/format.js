// How values are shown.

export const STATUSES = ['pending', 'dispatching', 'outcome_unknown', 'failed', 'completed'];

export const statusName = (status) => status.replaceAll('_', ' ');

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

/** An instant as the reader's local time, with its distance from now. */
export function when(instant) {
  const time = new Date(instant);
  const seconds = (Date.now() - time.getTime()) / 1000;
  const distance = seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
  return { text: distance, title: `${time.toLocaleString()} (${instant})` };
}
