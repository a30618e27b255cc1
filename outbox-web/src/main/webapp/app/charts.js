// The last hour of one node: settlements by outcome and how long sends took, drawn, in a sentence, and in a table.

/* global uPlot */
import { $, el, replace } from './dom.js';
import { count, headRow, milliseconds } from './format.js';

const HEIGHT = 170;

/** From the bottom of the stack upwards: what it counts and the colour it has. */
const OUTCOMES = [['completed', '--completed'], ['retried', '--pending'], ['unknown', '--unknown'], ['failed', '--failed'],
  ['unsettled', '--dispatching']];

const PERCENTILES = [['ms_p50', 'Half within', '--completed'], ['ms_p99', '99 of 100 within', '--unknown']];

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

let plots = [];
let hour = null;

/** Draws what a node tells of its last hour. */
export function showHour(told) {
  hour = told;
  const { worker_id: worker, total, minutes } = told;
  $('#hour-node').textContent = `node ${worker}`;
  $('#hour-summary').textContent = summary(total);
  replace($('#outcomes-legend'), ...OUTCOMES.map(([name]) => key(name, `${count(total[name])} ${name}`)));
  replace($('#latency-legend'), ...PERCENTILES.map(([name, label]) =>
    key(name, `${label} ${total[name] === undefined ? '–' : milliseconds(total[name])}`)));
  replace($('#hour-table thead'), headRow('Minute', ...OUTCOMES.map(([name]) => name), 'Sends', 'Half within', '99 of 100 within'));
  replace($('#hour-table tbody'), ...minutes.filter((minute) => minute.sends || OUTCOMES.some(([name]) => minute[name]))
    .reverse().map((minute) => el('tr', {},
      el('th', { scope: 'row' }, clock(new Date(minute.from) / 1000)),
      [...OUTCOMES.map(([name]) => minute[name]), minute.sends].map((number) => el('td', {}, count(number))),
      PERCENTILES.map(([name]) => el('td', {}, minute[name] === undefined ? '–' : milliseconds(minute[name]))))));
  draw();
}

function summary(total) {
  if (total.sends === 0 && OUTCOMES.every(([name]) => total[name] === 0)) {
    return 'It has sent and settled nothing in the last hour.';
  }
  const settled = OUTCOMES.filter(([name]) => total[name]).map(([name]) => `${count(total[name])} ${name}`).join(', ');
  const took = total.sends ? ` Half of its ${count(total.sends)} sends took no longer than ${milliseconds(total.ms_p50)},`
    + ` 99 of 100 no longer than ${milliseconds(total.ms_p99)}.` : '';
  return `It settled ${settled || 'nothing'} in the last hour.${took}`;
}

const key = (name, text) => el('li', { class: `key ${name}` }, text);

function draw() {
  const times = hour.minutes.map(({ from }) => new Date(from) / 1000);
  if (times.length === 0) {
    return;
  }
  const sums = stacked(hour.minutes);
  const data = [
    [times, ...sums.reverse()],
    [times, ...PERCENTILES.map(([name]) => hour.minutes.map((minute) => minute[name] ?? null))],
  ];
  if (plots.length === 0) {
    plots = [
      new uPlot(options([...OUTCOMES].reverse().map(([name, colour]) => bar(name, colour)), {}), data[0], $('#outcomes')),
      new uPlot(options(PERCENTILES.map(([, label, colour]) => line(label, colour)), { distr: 3 }, milliseconds), data[1], $('#latency')),
    ];
    fit();
  } else {
    plots.forEach((plot, at) => plot.setData(data[at]));
  }
}

/** Each outcome on top of those below it. */
function stacked(minutes) {
  const below = minutes.map(() => 0);
  return OUTCOMES.map(([name]) => minutes.map((minute, at) => {
    below[at] += minute[name];
    return below[at];
  }));
}

const colour = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

const bar = (label, variable) => ({ label, fill: colour(variable), stroke: colour(variable), width: 0, points: { show: false },
  paths: uPlot.paths.bars({ size: [0.8, 24] }) });

const line = (label, variable) => ({ label, stroke: colour(variable), width: 2, points: { size: 5, fill: colour(variable) } });

function options(series, y, shown = (value) => Number.isInteger(value) ? count(value) : '') {
  const axis = { stroke: colour('--pico-muted-color'), grid: { stroke: colour('--pico-muted-border-color'), width: 1 },
    ticks: { show: false }, font: '12px system-ui, sans-serif' };
  const now = () => hour.minutes.length ? new Date(hour.minutes.at(-1).from) / 1000 : Date.now() / 1000;
  return {
    width: 300,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [10, 30, 0, 0],
    scales: {
      x: { time: true, range: () => [now() - 60 * 60, now() + 60] },
      y: y.distr ? { distr: y.distr, range: (plot, least, most) => decades(least, most) } : { range: (plot, least, most) => [0, Math.max(4, most * 1.05)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 60, values: (plot, splits) => splits.map(clock) },
      { ...axis, size: 58, ...(y.distr ? { splits: (plot, at, least, most) => powers(least, most), filter: (plot, splits) => splits } : {}), values: (plot, splits) => splits.map((value) => value === null ? '' : shown(value)) },
    ],
    series: [{}, ...series],
  };
}

/** Whole powers of ten around what was measured. */
function decades(least, most) {
  if (!(least > 0)) {
    return [1, 1000];
  }
  const low = 10 ** Math.floor(Math.log10(least));
  return [low, Math.max(low * 10, 10 ** Math.ceil(Math.log10(most)))];
}

const powers = (least, most) => {
  const all = [];
  for (let power = least; power <= most * 1.001; power *= 10) {
    all.push(power);
  }
  return all;
};

function fit() {
  plots.forEach((plot) => {
    const width = plot.root.parentElement.clientWidth;
    if (width > 0 && width !== plot.width) {
      plot.setSize({ width, height: HEIGHT });
    }
  });
}

/** Follows the width and the colours of the page. */
export function startCharts() {
  new ResizeObserver(fit).observe($('#outcomes'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plots.forEach((plot) => plot.destroy());
    plots = [];
    if (hour) {
      draw();
    }
  });
}
