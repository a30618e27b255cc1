// What an operator may do to one entry, by its status, and how it is asked.

import { NOTE } from './ask.js';

const CODE = { name: 'code', label: 'Code', hint: 'A stable identifier, as airline.lost; turnframe.operator.failed if empty',
  maxlength: 128, pattern: '[A-Za-z0-9._\\-]+' };

const ACTS = [
  {
    name: 'reconcile', label: 'Reconcile', of: ['outcome_unknown'],
    title: 'Ask the remote what became of it?',
    text: 'The reconciler of its destination is asked, and the entry is settled by the answer. Nothing is sent.',
  },
  {
    name: 'complete', label: 'Complete', of: ['outcome_unknown', 'dispatching'],
    title: 'Declare that the remote has done it?',
    text: 'The entry becomes completed and is never sent again.',
  },
  {
    name: 'fail', label: 'Fail', of: ['outcome_unknown', 'dispatching'], fields: [CODE, NOTE],
    title: 'Declare that the remote has not done it?',
    text: 'The entry becomes failed. It is sent again only if somebody resubmits it.',
  },
  {
    name: 'authorise-resend', label: 'Resend', of: ['outcome_unknown'],
    fields: [{ ...NOTE, label: 'Evidence', hint: 'How it is known that the remote has not done it', required: true }],
    title: 'Have it sent once more?',
    text: 'It may have been done: if the remote does not recognise the key, sending it again does it twice. Look there first.',
  },
  {
    name: 'resubmit', label: 'Resubmit', of: ['failed'],
    title: 'Have it sent again?',
    text: 'The entry becomes pending, due at once, with a whole budget of attempts.',
  },
  {
    name: 'reschedule', label: 'Reschedule', of: ['pending'],
    fields: [{ name: 'next_attempt_at', label: 'Due at', type: 'datetime-local', step: 1, required: true,
      hint: 'In your own time zone; a time that has passed makes it due at once' }, NOTE],
    title: 'Give it another time?',
    text: 'The entry stays pending, and is not sent before.',
  },
  {
    name: 'erase-payload', label: 'Erase payload', of: ['completed', 'failed'],
    title: 'Erase the payload for ever?',
    text: 'This cannot be undone, and an erased entry is never sent again. The key, the codes and the reference stay.',
  },
];

const TAKES_CLAIM = 'It is being sent at this moment: its answer will be refused, but the request may still arrive.';

/** What may be done to this record now. */
export const actsOn = (record) => ACTS
  .filter(({ of }) => of.includes(record.entry.status))
  .filter(({ name }) => !(record.payload_erased && ['resubmit', 'erase-payload'].includes(name)));

/** How it is asked. */
export function questionOf(name, record) {
  const act = ACTS.find((known) => known.name === name);
  const text = record.entry.status === 'dispatching' ? [act.text, TAKES_CLAIM] : [act.text];
  const about = `${record.entry.destination}, ${record.entry.idempotency_key}`;
  return { title: act.title, text: [about, ...text], about, confirm: act.label, fields: act.fields };
}

/** What an act's answer says beyond the record. */
export function outcomeOf(name, answer) {
  if (name === 'reconcile') {
    return answer.settled ? `The remote says: ${answer.answer}.`
      : answer.answer === 'resend' ? 'The remote does not have it, but it is too early to be sure; ask again later.'
        : `The remote says: ${answer.answer}. The entry stays as it is.`;
  }
  if (name === 'authorise-resend' && !answer.authorised) {
    return `Asked for by ${answer.requested_by}. Another operator has to authorise it too.`;
  }
  return 'Done, and on record.';
}

const MEANINGS = {
  pending: 'It waits to be sent.',
  dispatching: 'It is being sent.',
  outcome_unknown: 'The remote may or may not have done it, and nothing repeats it by itself. Ask the remote (Reconcile), or look'
    + ' there for its key and say what you saw.',
  failed: 'The remote refused it, or its attempts are spent. Resubmit it once the cause is gone.',
  completed: 'The remote has done it.',
};

export const meaningOf = (record) => MEANINGS[record.entry.status];
