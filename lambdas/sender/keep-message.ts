import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { EMAIL_JOB_CONFIG } from '../../shared/domain/job-config.ts';
import { applyCommand } from '../../shared/ports/email-store.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import type { MessageEnd, SenderPorts } from './ports.ts';

/**
 * The message waits where it is, and holds its lane. SQS moves it to the DLQ when it would be received a sixth time;
 * so a message whose receives ran ahead of its attempts is replaced by a fresh copy in time. A crash never gets here,
 * so poison still dies after five receives.
 */
export async function keepMessage(
  message: ReceivedMessage,
  email: Email,
  wait: { readonly ms: number; readonly attempted: boolean; readonly why: string },
  ports: SenderPorts,
): Promise<MessageEnd> {
  const lastReceive = EMAIL_JOB_CONFIG.MAX_ATTEMPTS - (wait.attempted ? 0 : 1);
  if (message.receiveCount < lastReceive) {
    await ports.held.hide(message, wait.ms / 1000);
    return 'keep';
  }
  const requeued = await applyCommand(
    ports.emails,
    email,
    { type: 'REQUEUE', why: wait.why },
    {
      now: ports.now,
      retentionDays: ports.settings.retentionDays,
      unless: (current) => current.seq !== email.seq,
    },
  );
  if (requeued.outcome === 'applied') await enqueueCopy(requeued.email, message, message.group, ports);
  return 'done';
}

/** If SQS does not take the copy, the sweeper finds the mail by its place in the workset. */
export async function enqueueCopy(
  email: Email,
  message: ReceivedMessage,
  group: string,
  ports: SenderPorts,
): Promise<void> {
  const refused = await ports.queue.send([
    { queue: message.queue, group, job: jobFromEmail(email, ports.now()) },
  ]);
  const reason = refused.get(0);
  if (reason !== undefined)
    ports.log.error('copy not enqueued; the sweeper will', { outboxId: email.outboxId, reason });
}
