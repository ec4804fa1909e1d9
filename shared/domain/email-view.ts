import type { Email } from './email.ts';

/** A mail in a list: what it is and where it stands. */
export function emailSummary(email: Email) {
  return {
    outboxId: email.outboxId,
    jobId: email.outboxId,
    requestId: email.requestId,
    status: email.status,
    mode: email.mode,
    to: email.to,
    cc: email.cc ?? [],
    bcc: email.bcc ?? [],
    subject: email.subject,
    replyTo: email.replyTo ?? null,
    tags: email.tags ?? [],
    externalId: email.recipient.externalId ?? null,
    priority: email.priority,
    attempts: email.attempts,
    sesMessageId: email.sesMessageIds.at(-1) ?? null,
    errorCode: email.errorCode ?? null,
    errorReason: email.errorReason ?? null,
    durationMs: email.durationMs ?? null,
    receivedAt: email.createdAt,
    sendAt: email.sendAt ?? null,
    expiresAt: email.expiresAt,
    nextAttemptAt: email.nextAttemptAt ?? null,
    sentAt: email.sentAt ?? null,
    failedAt: email.failedAt ?? null,
  };
}

/** A mail as its owner sees it: everything that explains it, nothing of how we keep it. */
export function emailView(email: Email) {
  return {
    ...emailSummary(email),
    events: email.events.map(({ type, at, attempt, meta }) => ({
      type,
      at,
      ...(attempt !== undefined && { attempt }),
      ...(meta && { metadata: meta }),
    })),
  };
}
