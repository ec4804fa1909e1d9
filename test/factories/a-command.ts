import type { Command } from '../../shared/domain/advance.ts';
import type { CommandType } from '../../shared/domain/email-state.ts';
import type { Failure } from '../../shared/domain/failures.ts';
import { iso, MINUTE, NOW, SECOND } from './moments.ts';

/** The member of the union that has this type among its own. */
type CommandOf<T extends CommandType, C extends Command = Command> = C extends Command
  ? T extends C['type']
    ? C
    : never
  : never;

export function aFailure(overrides: Partial<Failure> = {}): Failure {
  return {
    code: 'SES_SERVICE_UNAVAILABLE',
    category: 'TRANSIENT_ERROR',
    decision: 'hold',
    reason: 'ServiceUnavailable: try later',
    originalCode: 'ServiceUnavailable',
    ...overrides,
  };
}

const COMMANDS: { readonly [T in CommandType]: CommandOf<T> } = {
  DUE: { type: 'DUE' },
  CLAIM: { type: 'CLAIM', leaseMs: 70 * SECOND, droppedCopies: [] },
  RECORD_SENT: { type: 'RECORD_SENT', sesMessageId: 'ses-1', durationMs: 1200 },
  SCHEDULE_RETRY: { type: 'SCHEDULE_RETRY', failure: aFailure(), backoffMs: 5 * SECOND, counted: true },
  STEP_ASIDE: {
    type: 'STEP_ASIDE',
    failure: aFailure({ code: 'SES_TIMEOUT', category: 'TIMEOUT_ERROR', decision: 'stepAside' }),
    backoffMs: 120 * SECOND,
    counted: true,
  },
  HOLD: { type: 'HOLD', code: 'COMPANY_SUSPENDED', reason: 'suspended', backoffMs: 15 * MINUTE },
  REQUEUE: { type: 'REQUEUE', why: 'nothing was heard of it' },
  WATCH_LATER: { type: 'WATCH_LATER', until: iso(NOW + 30 * MINUTE), looks: 1 },
  FAIL: {
    type: 'FAIL',
    failure: aFailure({ code: 'SES_MESSAGE_REJECTED', category: 'PERMANENT_ERROR', decision: 'fail' }),
    message: { seq: 1, messageId: 'message-1' },
  },
  EXPIRE: { type: 'EXPIRE' },
  REDRIVE: { type: 'REDRIVE' },
  CANCEL: { type: 'CANCEL' },
  CONFIRM_SENT: { type: 'CONFIRM_SENT', sesMessageId: 'ses-1', at: iso(NOW - 3 * SECOND) },
  CONFIRM_DELIVERY: { type: 'CONFIRM_DELIVERY', meta: { smtpResponse: '250 OK' } },
  CONFIRM_BOUNCE: { type: 'CONFIRM_BOUNCE', meta: { bounceType: 'Permanent' } },
  CONFIRM_COMPLAINT: { type: 'CONFIRM_COMPLAINT', meta: { feedback: 'abuse' } },
  NOTE: { type: 'NOTE', event: 'DELIVERY_DELAYED', meta: { delayType: 'MailboxFull' } },
};

export const COMMAND_TYPES = Object.keys(COMMANDS) as CommandType[];

export function aCommand<T extends CommandType>(
  type: T,
  overrides: Partial<Omit<CommandOf<T>, 'type'>> = {},
): CommandOf<T> {
  return { ...COMMANDS[type], ...overrides };
}
