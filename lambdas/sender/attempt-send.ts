import { calculateBackoffDelay, longHoldDelay } from '../../shared/domain/backoff.ts';
import type { Command } from '../../shared/domain/advance.ts';
import type { MailBody } from '../../shared/domain/body.ts';
import type { Company } from '../../shared/domain/company.ts';
import type { Email } from '../../shared/domain/email.ts';
import type { EmailSendJobData } from '../../shared/domain/email-job.ts';
import { isLive, isSent } from '../../shared/domain/email-state.ts';
import { classifyFailure, type Failure } from '../../shared/domain/failures.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import { asideGroup } from '../../shared/domain/lanes.ts';
import { applyCommand, type Applied } from '../../shared/ports/email-store.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import type { OutgoingMail, SendResult } from '../../shared/ports/mailer.ts';
import { GRACE_MS, type Verdict } from './decide.ts';
import { enqueueCopy, keepMessage } from './keep-message.ts';
import type { MessageEnd, SenderPorts } from './ports.ts';

const THROTTLE_PATIENCE_MS = 20_000;
/** What one more call may take: SES's 30 s and the record. */
const LAST_CALL_MS = 33_000;
const RECORD_TRIES = 3;
const LOOK_AGAIN_MS = 1_000;

/** The mail is claimed. Calls SES, then records what came of it: never both in one `try`. */
export async function attemptSend(
  claimed: {
    email: Email;
    message: ReceivedMessage;
    job: EmailSendJobData;
    startedAt: number;
    droppedCopies: readonly string[];
  },
  content: { body: MailBody; company: Company },
  ports: SenderPorts,
): Promise<MessageEnd> {
  const { email, message, job, startedAt, droppedCopies } = claimed;
  const result = await sendPatiently(
    outgoing(email, content, droppedCopies, ports.settings.defaultFrom),
    email,
    ports,
  );

  if (result === 'tooLate') {
    const expired = await record(email, { type: 'EXPIRE' }, ports);
    if (expired.outcome !== 'applied') return leave(expired, message, ports);
    ports.log.state(expired.email);
    return 'done';
  }
  if (result.sent) {
    const durationMs = ports.now() - startedAt;
    const recorded = await record(
      email,
      { type: 'RECORD_SENT', sesMessageId: result.messageId, durationMs },
      ports,
    );
    if (recorded.outcome === 'applied')
      ports.log.state(recorded.email, { durationMs, sesMessageId: result.messageId });
    return 'done';
  }
  const failure = classifyFailure(result.error);
  if (
    failure.decision === 'fail' ||
    (email.attempts >= EMAIL_JOB_CONFIG.MAX_ATTEMPTS && failure.decision !== 'longHold')
  ) {
    return failMail(email, message, job, failure, ports);
  }
  return failure.decision === 'stepAside'
    ? stepAside(email, message, failure, ports)
    : holdLane(email, message, failure, ports);
}

/** FAILED: the message must reach the DLQ, so that the mail can be redriven. */
export async function failMail(
  email: Email,
  message: ReceivedMessage,
  { seq, enqueuedAt }: EmailSendJobData,
  failure: Verdict & { readonly originalCode?: string },
  ports: SenderPorts,
): Promise<MessageEnd> {
  const recorded = await record(
    email,
    { type: 'FAIL', failure, message: { seq, messageId: message.messageId, enqueuedAt } },
    ports,
  );
  if (recorded.outcome !== 'applied') return leave(recorded, message, ports);
  ports.log.state(recorded.email, { errorCode: failure.code, errorReason: failure.reason });
  return passThrough(message, ports);
}

/**
 * Visible at once: SQS moves the message to the DLQ within seconds, and its lane is free. If that does not work it
 * takes SQS longer, no more: a copy, which any other trouble leads to, would look like an operator's redrive.
 */
export async function passThrough(message: ReceivedMessage, ports: SenderPorts): Promise<MessageEnd> {
  await ports.held
    .hide(message, 0)
    .catch((error: unknown) =>
      ports.log.error('dead message not made visible', { messageId: message.messageId, error }),
    );
  return 'keep';
}

/**
 * Another writer came first, or our own write took effect and we were told otherwise. The message goes only if
 * nobody needs it any more: it may be the one that a live mail waits in, or the one that a dead mail lies in.
 */
async function leave(
  left: Exclude<Applied, { outcome: 'applied' }>,
  message: ReceivedMessage,
  ports: SenderPorts,
): Promise<MessageEnd> {
  if (left.outcome === 'gone') return 'done';
  const { email } = left;
  if (email.status === 'FAILED' && email.deadMessageId === message.messageId) {
    return passThrough(message, ports);
  }
  if (!isLive(email.status)) return 'done';
  return keepMessage(message, email, { ms: LOOK_AGAIN_MS, attempted: false, why: 'overtaken' }, ports);
}

async function holdLane(
  email: Email,
  message: ReceivedMessage,
  failure: Failure,
  ports: SenderPorts,
): Promise<MessageEnd> {
  const counted = failure.decision !== 'longHold';
  const backoffMs = counted
    ? calculateBackoffDelay(email.attempts, ports.random, ports.settings.backoffCurve)
    : longHoldDelay(email.holds);
  const recorded = await record(email, { type: 'SCHEDULE_RETRY', failure, backoffMs, counted }, ports);
  if (recorded.outcome !== 'applied') return leave(recorded, message, ports);
  ports.log.state(recorded.email, {
    errorCode: failure.code,
    errorReason: failure.reason,
    nextRetryDelay: backoffMs,
  });
  return keepMessage(
    message,
    recorded.email,
    { ms: backoffMs, attempted: counted, why: failure.code },
    ports,
  );
}

/** SES may have the mail. It waits for SES's word in a group of its own, where it delays nobody. */
async function stepAside(
  email: Email,
  message: ReceivedMessage,
  failure: Failure,
  ports: SenderPorts,
): Promise<MessageEnd> {
  const backoffMs = Math.max(
    GRACE_MS,
    calculateBackoffDelay(email.attempts, ports.random, ports.settings.backoffCurve),
  );
  const recorded = await record(email, { type: 'STEP_ASIDE', failure, backoffMs, counted: true }, ports);
  if (recorded.outcome !== 'applied') return leave(recorded, message, ports);
  ports.log.state(recorded.email, {
    errorCode: failure.code,
    errorReason: failure.reason,
    nextRetryDelay: backoffMs,
  });
  await enqueueCopy(recorded.email, message, asideGroup(email.companyId, email.outboxId), ports);
  return 'done';
}

/**
 * Rate throttling is waited out here, with jitter, while the lease and the function's time allow it. The clock is
 * read before each call: the claim took its time, and so did the waiting.
 */
async function sendPatiently(
  mail: OutgoingMail,
  email: Email,
  ports: SenderPorts,
): Promise<SendResult | 'tooLate'> {
  const mailer = email.mode === 'test' ? ports.testMailer : ports.mailer;
  const giveUpAt = ports.now() + THROTTLE_PATIENCE_MS;
  for (let wait = 200; ; wait = Math.min(wait * 2, 4000)) {
    if (ports.now() >= Date.parse(email.expiresAt)) return 'tooLate';
    const result = await mailer.send(mail);
    if (result.sent || classifyFailure(result.error).decision !== 'throttle') return result;
    const pause = Math.round(wait * (0.5 + ports.random()));
    if (ports.now() + pause > giveUpAt || ports.remainingMs() - pause < LAST_CALL_MS) return result;
    await ports.sleep(pause);
  }
}

/**
 * What SES said must reach the item. If another writer (SES's event, through feedback) came first and the mail is
 * further on, that is a success. If the store fails for good, the error goes up, the message stays, and the mail is
 * in doubt: the lease will run out.
 */
async function record(email: Email, command: Command, ports: SenderPorts): Promise<Applied> {
  for (let tried = 1; ; tried += 1) {
    try {
      const applied = await applyCommand(ports.emails, email, command, {
        now: ports.now,
        retentionDays: ports.settings.retentionDays,
        unless: (current) => isSent(current.status) || current.claimedAt !== email.claimedAt,
      });
      if (applied.outcome === 'impossible')
        ports.log.error('outcome not recorded', {
          outboxId: email.outboxId,
          state: applied.email.status,
          command: command.type,
        });
      return applied;
    } catch (error) {
      if (tried === RECORD_TRIES) throw error;
      ports.log.error('record failed, trying again', { outboxId: email.outboxId, error });
      await ports.sleep(500 * tried);
    }
  }
}

function outgoing(
  email: Email,
  { body, company }: { body: MailBody; company: Company },
  droppedCopies: readonly string[],
  defaultFrom: string,
): OutgoingMail {
  const kept = (addresses: readonly string[] = []) =>
    addresses.filter((address) => !droppedCopies.includes(address));
  return {
    from: company.from ?? defaultFrom,
    to: email.to,
    cc: kept(email.cc),
    bcc: kept(email.bcc),
    ...(email.replyTo !== undefined && { replyTo: email.replyTo }),
    subject: email.subject,
    body,
    headers: email.headers ?? {},
    tags: { outboxId: email.outboxId, companyId: email.companyId, attempt: String(email.attempts) },
  };
}
