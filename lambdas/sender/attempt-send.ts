import { calculateBackoffDelay, longHoldDelay } from '../../shared/domain/backoff.ts';
import type { Command } from '../../shared/domain/advance.ts';
import type { MailBody } from '../../shared/domain/body.ts';
import type { Company } from '../../shared/domain/company.ts';
import type { Email } from '../../shared/domain/email.ts';
import { isSent } from '../../shared/domain/email-state.ts';
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

/** The mail is claimed. Calls SES, then records what came of it: never both in one `try`. */
export async function attemptSend(
  claimed: {
    email: Email;
    message: ReceivedMessage;
    seq: number;
    startedAt: number;
    droppedCopies: readonly string[];
  },
  content: { body: MailBody; company: Company },
  ports: SenderPorts,
): Promise<MessageEnd> {
  const { email, message, seq, startedAt, droppedCopies } = claimed;
  const result = await sendPatiently(
    outgoing(email, content, droppedCopies, ports.settings.defaultFrom),
    email,
    ports,
  );

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
    return failMail(email, message, seq, failure, ports);
  }
  return failure.decision === 'stepAside'
    ? stepAside(email, message, failure, ports)
    : holdLane(email, message, failure, ports);
}

/** FAILED, and the message made visible at once: SQS moves it to the DLQ within seconds, and its lane is free. */
export async function failMail(
  email: Email,
  message: ReceivedMessage,
  seq: number,
  failure: Verdict & { readonly originalCode?: string },
  ports: SenderPorts,
): Promise<MessageEnd> {
  const recorded = await record(
    email,
    { type: 'FAIL', failure, message: { seq, messageId: message.messageId } },
    ports,
  );
  if (recorded.outcome !== 'applied') return 'done';
  ports.log.state(recorded.email, { errorCode: failure.code, errorReason: failure.reason });
  await ports.held.hide(message, 0);
  return 'keep';
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
  if (recorded.outcome !== 'applied') return 'done';
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
  if (recorded.outcome !== 'applied') return 'done';
  ports.log.state(recorded.email, {
    errorCode: failure.code,
    errorReason: failure.reason,
    nextRetryDelay: backoffMs,
  });
  await enqueueCopy(recorded.email, message, asideGroup(email.companyId, email.outboxId), ports);
  return 'done';
}

/** Rate throttling is waited out here, with jitter, while the lease and the function's time allow it. */
async function sendPatiently(mail: OutgoingMail, email: Email, ports: SenderPorts): Promise<SendResult> {
  const mailer = email.mode === 'test' ? ports.testMailer : ports.mailer;
  const giveUpAt = ports.now() + THROTTLE_PATIENCE_MS;
  for (let wait = 200; ; wait = Math.min(wait * 2, 4000)) {
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
