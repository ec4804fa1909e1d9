import type { Email } from '../../../shared/domain/email.ts';
import type { EmailSendJobData } from '../../../shared/domain/email-job.ts';
import { isLive, isSent, TRANSITIONS } from '../../../shared/domain/email-state.ts';
import type { World } from './world.ts';

/** Everything by which what happened in this world breaks a promise; empty if it kept them all. */
export function brokenPromises(world: World): string[] {
  return [
    ...stepsOutsideTheTable(world),
    ...tooManyAttempts(world),
    ...sentTooLate(world),
    ...sentTwiceWithoutDoubt(world),
    ...stolenLeases(world),
    ...redrivenByNobody(world),
    ...neverEnded(world),
    ...forgotten(world),
    ...deadButNotInTheQueue(world),
  ];
}

const STEPS = new Set(TRANSITIONS.map(({ from, to }) => `${from} ${to}`));

function stepsOutsideTheTable({ emails }: World): string[] {
  return emails.written.flatMap(({ before, after }) => {
    if (!before) return [];
    const step = `${before.status} ${after.status}`;
    if (isSent(before.status) && !isSent(after.status))
      return [`${step}: a mail that SES has was called unsent`];
    if (after.rev !== before.rev + 1) return [`rev ${before.rev} was followed by ${after.rev}`];
    return STEPS.has(step) ? [] : [`${step} is not in the table`];
  });
}

function tooManyAttempts({ emails }: World): string[] {
  return emails.written.flatMap(({ after }) =>
    after.attempts > 5 || after.attempts < 0 ? [`attempt ${after.attempts} of run ${after.runs}`] : [],
  );
}

function sentTooLate({ calls }: World): string[] {
  return calls.flatMap(({ at, expiresAt }) =>
    at >= Date.parse(expiresAt) ? [`SES was called ${at - Date.parse(expiresAt)} ms after the end`] : [],
  );
}

/** SES has no idempotency token: a second mail is allowed only where the timeline admits the doubt. */
function sentTwiceWithoutDoubt({ accepts, emails }: World): string[] {
  return accepts.flatMap(({ outboxId, writes }, i) => {
    const earlier = accepts.slice(0, i).findLast((other) => other.outboxId === outboxId);
    if (!earlier) return [];
    const since = emails.written
      .slice(earlier.writes, writes)
      .filter(({ after }) => after.outboxId === outboxId);
    const says = (type: string) =>
      since.some(({ before, after }) => count(after, type) > (before ? count(before, type) : 0));
    if (!says('IN_DOUBT')) return ['SES took the mail twice, and the timeline shows no doubt'];
    const mayResend = emails.one(outboxId).onInDoubt === 'resend' || says('REDRIVEN');
    return mayResend ? [] : ['SES took a mail twice that must not be sent again'];
  });
}

function stolenLeases({ emails }: World): string[] {
  return emails.written.flatMap(({ before, after }) =>
    after.claimedAt !== undefined &&
    before?.leaseUntil !== undefined &&
    after.claimedAt !== before.claimedAt &&
    before.leaseUntil > after.claimedAt
      ? [`a claim of ${before.claimedAt} was stolen at ${after.claimedAt}`]
      : [],
  );
}

function redrivenByNobody({ emails, redriven }: World): string[] {
  const runs = emails.written.filter(({ before, after }) => before && after.runs > before.runs).length;
  return runs > redriven ? [`${runs} new runs of ${redriven} redriven messages`] : [];
}

function neverEnded({ emails }: World): string[] {
  return emails
    .all()
    .filter(({ status }) => status === 'SCHEDULED' || isLive(status))
    .map(({ status }) => `a mail is ${status} for ever`);
}

function forgotten({ emails, inTime }: World): string[] {
  return inTime.flatMap((outboxId) =>
    emails.one(outboxId).status === 'EXPIRED'
      ? ['a mail that could have been sent in time was forgotten']
      : [],
  );
}

/** The one that failed it, or what a redrive made of that one. */
function deadButNotInTheQueue({ emails, queues, lostMessages }: World): string[] {
  if (lostMessages) return [];
  const dead = queues.dead.map(({ body }) => JSON.parse(body) as EmailSendJobData);
  return emails
    .all()
    .filter(({ status }) => status === 'FAILED')
    .filter(({ outboxId, deadSeq }) => !dead.some((job) => job.outboxId === outboxId && job.seq === deadSeq))
    .map(({ errorReason }) => `a FAILED mail cannot be redriven: ${errorReason}`);
}

/** After every event of SES arrived. */
export function untrueStates({ accepts, emails }: World): string[] {
  return [...new Set(accepts.map(({ outboxId }) => outboxId))].flatMap((outboxId) => {
    const { status } = emails.one(outboxId);
    return isSent(status) ? [] : [`SES has the mail and said so, yet it is ${status}`];
  });
}

function count({ events }: Email, type: string): number {
  return events.filter((event) => event.type === type).length;
}
