// One record's story, oldest first.

import { el } from './dom.js';
import { counted, distance, fullTime, milliseconds, statusName } from './format.js';

/** Every event that the record tells of, as list items. */
export function timeline(record) {
  return events(record)
    .sort((one, other) => new Date(one.at) - new Date(other.at))
    .map(({ at, kind, title, detail }) => el('li', { class: kind },
      el('div', {}, el('strong', {}, title)),
      detail.length ? el('div', {}, detail) : null,
      el('div', { class: 'muted' }, fullTime(at))));
}

function events({ entry, claim, attempts, reconciliations, audit, last_failure: failure, remote_ref: ref, ...record }) {
  const all = [];
  const tell = (at, kind, title, ...detail) => at && all.push({ at, kind, title, detail: detail.filter(Boolean) });
  tell(entry.created_at, 'pending', 'Enqueued');
  attempts.forEach((attempt) => {
    const took = milliseconds(Math.max(0, new Date(attempt.ended_at) - new Date(attempt.started_at)));
    const kind = { completed: 'completed', permanent: 'failed', unknown: 'outcome_unknown' }[attempt.outcome] ?? 'pending';
    tell(attempt.late ? attempt.ended_at : attempt.started_at, kind,
      `${attempt.late ? 'Late answer to attempt' : 'Attempt'} ${attempt.attempt}: ${attempt.outcome}`,
      code(attempt.code), reference(attempt.remote_ref), `${attempt.late ? 'after' : 'took'} ${took}, by ${attempt.worker_id}`);
  });
  tell(claim?.claimed_at, 'dispatching', `Claimed for attempt ${entry.attempt_count}`, claim && `by ${claim.worker_id}`);
  // Told by the attempt, unless its claim was abandoned or the attempt is not in the journal.
  if (!attempts.some(({ attempt, outcome }) => attempt === entry.attempt_count && outcome === 'unknown')) {
    tell(record.unknown_since, 'outcome_unknown', 'Outcome unknown');
  }
  reconciliations.forEach((answer) => tell(answer.answered_at,
    { completed: 'completed', failed: 'failed' }[answer.answer] ?? 'pending', `Reconciler: ${answer.answer}`,
    code(answer.code), reference(answer.remote_ref),
    `about attempt ${answer.attempt}, asked ${counted(answer.question, 'time')}, by ${answer.worker_id}`));
  audit.forEach((act) => tell(act.acted_at, 'person', `${act.actor}: ${act.act}`,
    act.from_status === act.to_status ? null
      : el('span', {}, `${statusName(act.from_status)} → ${statusName(act.to_status)} `),
    act.detail && code(act.detail), act.note && el('q', {}, act.note)));
  tell(entry.completed_at, entry.status, statusName(entry.status), entry.status === 'failed' && code(failure), reference(ref));
  const next = entry.next_attempt_at;
  if (entry.status === 'pending') {
    tell(next, 'pending', new Date(next) > new Date() ? `Due ${distance(next)}` : 'Due', code(failure));
  }
  return all;
}

const code = (value) => value ? el('span', {}, el('code', {}, value), ' ') : null;
const reference = (value) => value ? el('span', {}, 'reference ', el('code', {}, value), ' ') : null;

/** What the journal left out, or null. */
export function untold({ entry, attempts }) {
  const told = new Set(attempts.map(({ attempt }) => attempt)).size;
  const missing = entry.attempt_count - told - (entry.status === 'dispatching' ? 1 : 0);
  return missing > 0
    ? `${counted(missing, 'attempt')} ${missing === 1 ? 'is' : 'are'} not in the journal (outbox.dispatch.journal keeps those that did not complete, or all, or none).`
    : null;
}
