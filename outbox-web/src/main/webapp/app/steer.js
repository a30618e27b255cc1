// What an operator does to more than one entry: holds, limits, runs.

import * as api from './api.js';
import { NOTE, ask } from './ask.js';
import { counted } from './format.js';
import { notice } from './notice.js';

let known = { hold: {}, destinations: [] };

/** What was told of the destinations last. */
export const knowDestinations = (told) => {
  known = told;
};

const stateOf = (name, { destinations }) => destinations.find((state) => state.name === name) ?? {};

/**
 * Changes this and leaves the rest as it is now, not as the page has it: the call replaces all that was said before, by
 * others too.
 *
 * @param change is given what is said now, and answers what is to be another
 */
async function control(name, change) {
  const { held = false, concurrency, rate, note } = stateOf(name, await api.destinations());
  return api.control(name, { held, concurrency, rate, ...change({ held, note }) });
}

/** The acts by the names that buttons have. */
export function steer({ changed }) {
  const act = (question, perform) => ask(question, async (values) => {
    notice(await perform(values));
    changed();
  });
  const holding = (held) => ({ destination }) => act({
    title: `${held ? 'Hold' : 'Resume'} ${destination ?? 'all destinations'}?`,
    text: held ? 'On all nodes nothing more is claimed until it is resumed. What is out is settled.'
      : `On all nodes its entries are claimed again.${destination ? '' : ' Destinations that are held by themselves stay so.'}`,
    confirm: held ? 'Hold' : 'Resume',
  }, async (note) => {
    await (destination ? control(destination, () => ({ held, ...note })) : api.hold({ held, ...note }));
    return `${destination ?? 'Everything'} is ${held ? 'held' : 'no longer held'}.`;
  });
  return {
    hold: holding(true),
    resume: holding(false),
    limit: ({ destination }) => {
      const { concurrency, rate } = stateOf(destination, known);
      const seen = { concurrency, rate };
      act({
        title: `Limit ${destination}?`,
        text: 'Over all nodes. What you empty is lifted.',
        confirm: 'Limit',
        fields: [
          { name: 'concurrency', label: 'Claims at once', type: 'number', min: 1, step: 1, value: concurrency, hint: 'A whole number from 1' },
          { name: 'rate', label: 'Sends a second', type: 'number', min: 0.0001, max: 100000, step: 'any', value: rate, hint: '0.0001 to 100,000' },
          NOTE,
        ],
      }, async (given) => {
        const wanted = Object.fromEntries(Object.keys(seen).filter((name) => given[name] !== seen[name])
          .map((name) => [name, given[name]]));
        // Why it is held stays said, unless something else is.
        const now = await control(destination, ({ held, note }) => ({ ...wanted, note: given.note ?? (held ? note : undefined) }));
        return `${destination} is ${now.concurrency || now.rate ? 'limited' : 'no longer limited'}.`;
      });
    },
    dispatch: () => act({
      title: 'Dispatch now?', text: 'Starts one run on the node that answers. It sends what is due and ends.', confirm: 'Dispatch', fields: [],
    }, async () => `Dispatch started, execution ${(await api.dispatch()).execution_id}.`),
    release: () => act({
      title: 'Release abandoned claims?', confirm: 'Release',
      text: 'Claims older than the claim timeout are taken from nodes that are gone. What may have been sent becomes outcome unknown.',
    }, async (note) => {
      const { pending, outcome_unknown: unknown } = await api.release(note);
      return `Released: ${counted(pending.length, 'entry', 'entries')} to send, ${counted(unknown.length, 'outcome')} unknown.`;
    }),
    stop: ({ execution }) => act({
      title: `Stop execution ${execution}?`, confirm: 'Stop',
      text: 'It claims no more; what is unsent goes back, what is out is settled. The timer starts the next run as ever: to stop dispatch, hold it.',
    }, async (note) => `Execution ${execution} is ${(await api.stop(execution, note)).status.toLowerCase()}.`),
    cancel: ({ bulk }) => act({
      title: 'Cancel the bulk act?', text: 'It ends before its next step. What is done stays done.', confirm: 'Cancel it', fields: [],
    }, async () => {
      await api.cancelBulk(bulk);
      return 'The bulk act will end before its next step.';
    }),
  };
}
