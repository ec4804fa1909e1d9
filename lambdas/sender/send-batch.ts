import { longHoldDelay } from '../../shared/domain/backoff.ts';
import type { Email } from '../../shared/domain/email.ts';
import { isLive } from '../../shared/domain/email-state.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import { validateForSending, type Evidence } from '../../shared/domain/validations.ts';
import { applyCommand } from '../../shared/ports/email-store.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import { attemptSend, failMail, passThrough } from './attempt-send.ts';
import { decide } from './decide.ts';
import { isServiceTrouble } from './service-trouble.ts';
import { keepMessage } from './keep-message.ts';
import type { MessageEnd, SenderPorts } from './ports.ts';
import { readMessage, type ReadMessage } from './read-message.ts';
import { rememberRecipient } from './remember-recipient.ts';

/** Longer than the function lives: a live claim is never stolen. */
const LEASE_MS = 70_000;
/** No claim with less: SES has 30 s, and the record must follow. */
const LEAST_TIME_MS = 40_000;
/** From this receive on, a message may be what killed its batch: it goes last and alone. */
const SUSPECT_RECEIVES = 3;
const NEWER_VERSION_WAIT_S = 60;
const OWN_TROUBLE_WAITS_S = [1, 5, 30, 120];
/** A message that nobody could even try gets a fresh copy before SQS takes it for poison. */
const LAST_RECEIVE_UNATTEMPTED = 4;

type Job = Extract<ReadMessage, { kind: 'job' }>;

/** Returns the ids of the messages that SQS must keep. Each message stands for itself. */
export async function sendBatch(messages: readonly ReceivedMessage[], ports: SenderPorts): Promise<string[]> {
  const read = messages.map(readMessage);
  const jobs = read.filter((message): message is Job => message.kind === 'job');
  const findEvidence = await readEvidence(jobs, ports);
  for (const figures of ports.served(jobs.map(({ job }) => job.companyId))) {
    ports.log.note('tenant served', { ...figures });
  }

  const endOf = (entry: ReadMessage): Promise<MessageEnd> =>
    guarded(entry, ports, () => processMessage(entry, findEvidence, ports));
  const isSuspect = ({ message }: ReadMessage) => message.receiveCount >= SUSPECT_RECEIVES;
  const kept: string[] = [];
  const note = (entry: ReadMessage, end: MessageEnd) => end === 'keep' && kept.push(entry.message.messageId);

  await Promise.all(
    read.filter((entry) => !isSuspect(entry)).map(async (entry) => note(entry, await endOf(entry))),
  );
  for (const entry of read.filter(isSuspect)) note(entry, await endOf(entry));
  return kept;
}

/** Our own bugs and our store's bad moments are never a verdict on the mail: the message waits and comes again. */
async function guarded(
  entry: ReadMessage,
  ports: SenderPorts,
  work: () => Promise<MessageEnd>,
): Promise<MessageEnd> {
  const { message } = entry;
  try {
    return await work();
  } catch (error) {
    ports.log.error('message not processed', { messageId: message.messageId, error });
    const wait = OWN_TROUBLE_WAITS_S[Math.min(message.receiveCount, OWN_TROUBLE_WAITS_S.length) - 1] ?? 1;
    if (
      message.receiveCount >= LAST_RECEIVE_UNATTEMPTED &&
      isServiceTrouble(error) &&
      (await mayBeCopied(entry, ports))
    ) {
      return ports.held.copy(message).then(
        () => 'done',
        () => 'keep',
      );
    }
    await ports.held.hide(message, wait).catch(() => undefined);
    return 'keep';
  }
}

/**
 * A copy of a dead mail's message would be taken for an operator's redrive. Where the mail cannot be read, the message
 * goes on to the DLQ at worst, and the sweeper gives a live mail a new one.
 */
async function mayBeCopied(entry: ReadMessage, ports: SenderPorts): Promise<boolean> {
  if (entry.kind !== 'job') return entry.kind === 'newer';
  try {
    const email = await ports.emails.get(entry.job.outboxId);
    return email !== undefined && isLive(email.status);
  } catch {
    return false;
  }
}

type FindEvidence = (message: ReceivedMessage) => Evidence;

/** If the read fails, each message is told so when it asks: it fails for itself, with the reason. */
async function readEvidence(jobs: readonly Job[], ports: SenderPorts): Promise<FindEvidence> {
  const [read] = await Promise.allSettled([
    jobs.length > 0 ? ports.evidence.read(jobs.map(({ job }) => job)) : Promise.resolve([]),
  ]);
  return (message) => {
    if (read.status === 'rejected') throw read.reason;
    const found = read.value[jobs.findIndex((job) => job.message === message)];
    if (found?.status !== 'fulfilled') throw found?.reason ?? new Error('no evidence for this message');
    return found.value;
  };
}

async function processMessage(
  entry: ReadMessage,
  findEvidence: FindEvidence,
  ports: SenderPorts,
): Promise<MessageEnd> {
  const { message } = entry;
  switch (entry.kind) {
    case 'newer':
      ports.log.note('job of a newer version held', { messageId: message.messageId, version: entry.version });
      if (message.receiveCount >= LAST_RECEIVE_UNATTEMPTED) {
        await ports.held.copy(message);
        return 'done';
      }
      await ports.held.hide(message, NEWER_VERSION_WAIT_S);
      return 'keep';
    case 'invalid':
      return refuse(message, 'INVALID_PAYLOAD', entry.reason, ports);
    case 'job': {
      const found = findEvidence(message);
      if (!found.email || found.email.companyId !== entry.job.companyId) {
        return refuse(message, 'OUTBOX_NOT_FOUND', 'there is no such outbox item for this company', ports);
      }
      return processMail(entry, found.email, found, ports);
    }
  }
}

/** There is no mail to write a verdict on: the log explains it, and SQS moves the message to the DLQ. */
async function refuse(
  message: ReceivedMessage,
  code: string,
  reason: string,
  ports: SenderPorts,
): Promise<MessageEnd> {
  ports.log.error('message is no valid job', {
    messageId: message.messageId,
    errorCode: code,
    errorReason: reason,
  });
  await ports.held.hide(message, 0);
  return 'keep';
}

async function processMail(
  entry: Job,
  email: Email,
  evidence: Evidence,
  ports: SenderPorts,
): Promise<MessageEnd> {
  const { job, message } = entry;
  const startedAt = ports.now();
  const company = await ports.company(email.companyId);
  if (!company) throw new Error(`company ${email.companyId} is not in the tenant table`);
  const validated = validateForSending(job, { ...evidence, email });
  const decision = decide({ email, job, message, company, validated }, startedAt);
  const retention = { now: ports.now, retentionDays: ports.settings.retentionDays };
  /** Another writer came first: what it left decides anew. */
  const unless = (current: Email) => current.rev !== email.rev;

  switch (decision.do) {
    case 'drop':
      ports.log.note('message dropped', { outboxId: email.outboxId, why: decision.why });
      return 'done';

    case 'passThrough':
      return passThrough(message, ports);

    case 'wait':
      return keepMessage(
        message,
        email,
        { ms: decision.until - startedAt, attempted: false, why: decision.why },
        ports,
      );

    case 'holdCompany': {
      const backoffMs = longHoldDelay(email.holds);
      const reason = 'the company is suspended';
      const held = await applyCommand(
        ports.emails,
        email,
        { type: 'HOLD', code: 'COMPANY_SUSPENDED', reason, backoffMs },
        { ...retention, unless },
      );
      if (held.outcome !== 'applied') return again(entry, held, evidence, ports);
      return keepMessage(message, held.email, { ms: backoffMs, attempted: false, why: reason }, ports);
    }

    case 'expire': {
      const expired = await applyCommand(ports.emails, email, { type: 'EXPIRE' }, { ...retention, unless });
      if (expired.outcome !== 'applied') return again(entry, expired, evidence, ports);
      ports.log.state(expired.email);
      return 'done';
    }

    case 'redrive': {
      await renewBody(email, evidence, ports);
      const redriven = await applyCommand(ports.emails, email, { type: 'REDRIVE' }, { ...retention, unless });
      if (redriven.outcome === 'applied') ports.log.state(redriven.email, { run: redriven.email.runs });
      return again(entry, redriven, evidence, ports);
    }

    case 'fail':
      return failMail(email, message, job, decision.verdict, ports);

    case 'attempt': {
      await ports.pace(
        1 + (email.cc?.length ?? 0) + (email.bcc?.length ?? 0) - decision.droppedCopies.length,
      );
      if (ports.remainingMs() < LEAST_TIME_MS) {
        return keepMessage(
          message,
          email,
          { ms: 0, attempted: false, why: 'no time left in this invocation' },
          ports,
        );
      }
      if (Date.parse(email.expiresAt) <= ports.now()) return processMail(entry, email, evidence, ports);
      await rememberRecipient(job, evidence.recipient, ports);
      const claim = { type: 'CLAIM', leaseMs: LEASE_MS, droppedCopies: decision.droppedCopies } as const;
      const claimed = await applyCommand(ports.emails, email, claim, { ...retention, unless });
      if (claimed.outcome !== 'applied') return again(entry, claimed, evidence, ports);
      const body = evidence.body?.content;
      if (!body) throw new Error('a validated mail has a body');
      return attemptSend(
        { email: claimed.email, message, job, startedAt, droppedCopies: decision.droppedCopies },
        { body, company },
        ports,
      );
    }
  }
}

/** A new run may fail and be redriven again: its body must outlive that, however often it happens. */
async function renewBody(email: Email, { body }: Evidence, ports: SenderPorts): Promise<void> {
  if (!body) return;
  const { companyId, outboxId } = email;
  const expiresAt = new Date(ports.now() + EMAIL_JOB_CONFIG.DEFAULT_TTL).toISOString();
  await ports.bodies.put({ companyId, outboxId, expiresAt }, body.content);
}

async function again(
  entry: Job,
  left: { outcome: string; email?: Email },
  evidence: Evidence,
  ports: SenderPorts,
): Promise<MessageEnd> {
  return left.email ? processMail(entry, left.email, evidence, ports) : 'done';
}
