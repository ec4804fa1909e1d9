import type { Email, EmailEvent } from './email.ts';
import { findTransition, isLive, type CommandType, type EmailStatus, type EventType } from './email-state.ts';
import type { ErrorCategory, ErrorCode } from './failures.ts';
import { EMAIL_JOB_CONFIG } from './job-config.ts';
import { appendEvents } from './timeline.ts';
import { nextLook, placeInWorkset } from './workset.ts';

interface FailureFacts {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly reason: string;
  readonly originalCode?: string;
}

export type Command =
  | { readonly type: 'DUE' }
  | { readonly type: 'CLAIM'; readonly leaseMs: number; readonly droppedCopies: readonly string[] }
  | { readonly type: 'RECORD_SENT'; readonly sesMessageId: string; readonly durationMs: number }
  | {
      readonly type: 'SCHEDULE_RETRY' | 'STEP_ASIDE';
      readonly failure: FailureFacts;
      readonly backoffMs: number;
      readonly counted: boolean;
    }
  | { readonly type: 'HOLD'; readonly code: ErrorCode; readonly reason: string; readonly backoffMs: number }
  | { readonly type: 'REQUEUE'; readonly why: string }
  | {
      readonly type: 'FAIL';
      readonly failure: FailureFacts;
      readonly message: { readonly seq: number; readonly messageId: string; readonly enqueuedAt?: string };
    }
  /** Looked at, and left alone until then. */
  | { readonly type: 'WATCH_LATER'; readonly until: string; readonly looks: number }
  | { readonly type: 'EXPIRE' }
  | { readonly type: 'REDRIVE' }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'CONFIRM_SENT'; readonly sesMessageId: string; readonly at: string }
  | {
      readonly type: 'CONFIRM_DELIVERY' | 'CONFIRM_BOUNCE' | 'CONFIRM_COMPLAINT';
      readonly meta: EmailEvent['meta'];
    }
  /** Something that SES said and that changes nothing but the timeline. */
  | {
      readonly type: 'NOTE';
      readonly event: 'SENT' | 'DELIVERED' | 'DELIVERY_DELAYED' | 'BOUNCED' | 'COMPLAINED';
      readonly meta: EmailEvent['meta'];
      /** A second message id: SES took the mail twice. */
      readonly sesMessageId?: string;
    };

export type Advanced =
  | { readonly ok: true; readonly email: Email }
  | { readonly ok: false; readonly from: EmailStatus; readonly command: CommandType };

type Patch = { -readonly [K in keyof Email]?: Email[K] | undefined };

/** The mail after the command, or a refusal if the state machine has no such step. Nothing is written here. */
export function advance(email: Email, command: Command, now: number, retentionDays = 30): Advanced {
  const transition = findTransition(email.status, command.type);
  if (!transition) return { ok: false, from: email.status, command: command.type };

  const { patch, events } = effect(email, command, now);
  const changed = withPatch(email, {
    ...patch,
    status: transition.to,
    rev: email.rev + 1,
    events: appendEvents(email.events, ...events),
    purgeAt: isFinal(transition.to) ? Math.ceil(now / 1000) + retentionDays * 86_400 : undefined,
  });
  // A live mail keeps its place in the index unless a command moves it: one write to the index less.
  const keptLook = isLive(email.status) ? email.worksetAt : undefined;
  const lookAt = patch.worksetAt ?? keptLook ?? nextLook(now, changed.looks, changed.expiresAt);
  return { ok: true, email: withPatch(changed, placeInWorkset(changed, lookAt)) };
}

interface Effect {
  readonly patch: Patch;
  readonly events: EmailEvent[];
}

function effect(email: Email, command: Command, now: number): Effect {
  const at = new Date(now).toISOString();
  const attempt = email.attempts;
  const event = (type: EventType, meta?: EmailEvent['meta'], ofAttempt = attempt): EmailEvent => ({
    type,
    at,
    ...(ofAttempt > 0 && { attempt: ofAttempt }),
    ...(meta && { meta }),
  });

  switch (command.type) {
    case 'DUE':
      return { patch: {}, events: [event('DUE')] };

    case 'CLAIM': {
      const next = attempt + 1;
      const again = email.inDoubt || email.status === 'SENT_ATTEMPT';
      return {
        patch: {
          attempts: next,
          claimedAt: at,
          leaseUntil: new Date(now + command.leaseMs).toISOString(),
          nextAttemptAt: undefined,
          inDoubt: undefined,
        },
        events: [
          ...(email.status === 'SENT_ATTEMPT'
            ? [event('IN_DOUBT', { reason: 'the attempt ended without a record' })]
            : []),
          event('RECEIVED', undefined, next),
          ...command.droppedCopies.map((address) =>
            event('RECIPIENT_DROPPED', { address, code: 'RECIPIENT_SUPPRESSED' }, next),
          ),
          event('VALIDATED', undefined, next),
          event('SENT_ATTEMPT', again ? { resend: true } : undefined, next),
        ],
      };
    }

    case 'RECORD_SENT':
      return {
        patch: {
          ...endOfAttempt,
          sesMessageIds: [...email.sesMessageIds, command.sesMessageId],
          durationMs: command.durationMs,
          sentAt: at,
          errorCode: undefined,
          errorReason: undefined,
        },
        events: [event('SENT', { sesMessageId: command.sesMessageId, durationMs: command.durationMs })],
      };

    case 'SCHEDULE_RETRY':
    case 'STEP_ASIDE': {
      const aside = command.type === 'STEP_ASIDE';
      const attempts = command.counted ? attempt : attempt - 1;
      return {
        patch: {
          ...endOfAttempt,
          attempts,
          holds: command.counted ? 0 : email.holds + 1,
          nextAttemptAt: new Date(now + command.backoffMs).toISOString(),
          errorCode: command.failure.code,
          errorReason: command.failure.reason,
          ...(aside && { inDoubt: true, seq: email.seq + 1 }),
        },
        events: [
          ...(aside
            ? [event('IN_DOUBT', { errorCode: command.failure.code, errorMessage: command.failure.reason })]
            : []),
          event('RETRY_SCHEDULED', {
            ...failureMeta(command.failure),
            willRetry: true,
            nextAttemptNumber: attempts + 1,
            backoffDelay: command.backoffMs,
            ...(!command.counted && { counted: false }),
          }),
        ],
      };
    }

    case 'HOLD':
      return {
        patch: {
          holds: email.holds + 1,
          nextAttemptAt: new Date(now + command.backoffMs).toISOString(),
          errorCode: command.code,
          errorReason: command.reason,
        },
        events: [
          event('HELD', {
            errorCode: command.code,
            errorMessage: command.reason,
            backoffDelay: command.backoffMs,
          }),
        ],
      };

    case 'REQUEUE':
      return {
        patch: {
          seq: email.seq + 1,
          looks: email.looks + 1,
          worksetAt: nextLook(now, email.looks + 1, email.expiresAt),
        },
        events: [event('REQUEUED', { why: command.why, seq: email.seq + 1 })],
      };

    case 'WATCH_LATER':
      return { patch: { worksetAt: command.until, looks: command.looks }, events: [] };

    case 'FAIL':
      return {
        patch: {
          ...endOfAttempt,
          failedAt: at,
          errorCode: command.failure.code,
          errorReason: command.failure.reason,
          deadSeq: command.message.seq,
          deadMessageId: command.message.messageId,
          deadEnqueuedAt: command.message.enqueuedAt,
        },
        events: [
          ...(endsInDoubt(email, command.failure)
            ? [event('IN_DOUBT', { errorCode: command.failure.code, errorMessage: command.failure.reason })]
            : []),
          ...(command.failure.category === 'VALIDATION_ERROR'
            ? [event('VALIDATION_FAILED', failureMeta(command.failure))]
            : []),
          event('FAILED', { ...failureMeta(command.failure), willRetry: false }),
        ],
      };

    case 'EXPIRE':
      return {
        patch: { ...endOfAttempt, ...alive },
        events: [event('EXPIRED', { expiresAt: email.expiresAt })],
      };

    case 'REDRIVE': {
      const fresh = new Date(now + EMAIL_JOB_CONFIG.DEFAULT_TTL).toISOString();
      return {
        patch: {
          ...endOfAttempt,
          ...alive,
          attempts: 0,
          runs: email.runs + 1,
          holds: 0,
          looks: 0,
          expiresAt: email.ttlSeconds === undefined ? fresh : email.expiresAt,
        },
        events: [event('REDRIVEN', { run: email.runs + 1, previousError: email.errorCode })],
      };
    }

    case 'CANCEL':
      return { patch: { nextAttemptAt: undefined }, events: [event('CANCELED')] };

    case 'CONFIRM_SENT':
      return {
        patch: {
          ...endOfAttempt,
          ...alive,
          sesMessageIds: [...new Set([...email.sesMessageIds, command.sesMessageId])],
          sentAt: command.at,
          ...(email.claimedAt !== undefined && {
            durationMs: Math.max(0, Date.parse(command.at) - Date.parse(email.claimedAt)),
          }),
          errorCode: undefined,
          errorReason: undefined,
        },
        events: [event('SENT', { sesMessageId: command.sesMessageId, confirmedBy: 'SES event' })],
      };

    case 'CONFIRM_DELIVERY':
      return { patch: {}, events: [event('DELIVERED', command.meta)] };
    case 'CONFIRM_BOUNCE':
      return { patch: {}, events: [event('BOUNCED', command.meta)] };
    case 'CONFIRM_COMPLAINT':
      return { patch: {}, events: [event('COMPLAINED', command.meta)] };

    case 'NOTE':
      return {
        patch:
          command.sesMessageId === undefined
            ? {}
            : { sesMessageIds: [...email.sesMessageIds, command.sesMessageId] },
        events: [event(command.event, command.meta)],
      };
  }
}

/** The attempt had no answer from SES: a redrive may send a second mail, and the timeline must admit that. */
function endsInDoubt({ status }: Email, { category }: FailureFacts): boolean {
  return status === 'SENT_ATTEMPT' && (category === 'TIMEOUT_ERROR' || category === 'VALIDATION_ERROR');
}

const endOfAttempt: Patch = {
  leaseUntil: undefined,
  claimedAt: undefined,
  nextAttemptAt: undefined,
  inDoubt: undefined,
};
const alive: Patch = {
  failedAt: undefined,
  deadSeq: undefined,
  deadMessageId: undefined,
  deadEnqueuedAt: undefined,
};

function failureMeta(failure: FailureFacts): NonNullable<EmailEvent['meta']> {
  return {
    errorCode: failure.code,
    errorCategory: failure.category,
    errorMessage: failure.reason,
    ...(failure.originalCode !== undefined && { originalCode: failure.originalCode }),
  };
}

function isFinal(status: EmailStatus): boolean {
  return status !== 'SCHEDULED' && !isLive(status);
}

/** A patched copy in which `undefined` removes the attribute. */
function withPatch(email: Email, patch: Patch): Email {
  const merged = { ...email, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined),
  ) as unknown as Email;
}
