/** Where a mail rests. RECEIVED and VALIDATED are passed within one write and stand on the timeline only. */
export const EMAIL_STATUSES = [
  'SCHEDULED',
  'PENDING',
  'SENT_ATTEMPT',
  'RETRY_SCHEDULED',
  'SENT',
  'FAILED',
  'EXPIRED',
  'CANCELED',
  'DELIVERED',
  'BOUNCED',
  'COMPLAINED',
] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

export const EVENT_TYPES = [
  ...([
    'RECEIVED',
    'VALIDATED',
    'VALIDATION_FAILED',
    'SENT_ATTEMPT',
    'SENT',
    'FAILED',
    'RETRY_SCHEDULED',
  ] as const),
  ...(['HELD', 'RECIPIENT_DROPPED', 'IN_DOUBT', 'REQUEUED', 'REDRIVEN', 'DUE'] as const),
  ...(['EXPIRED', 'CANCELED', 'DELIVERED', 'DELIVERY_DELAYED', 'BOUNCED', 'COMPLAINED'] as const),
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type Actor = 'api' | 'sender' | 'sweeper' | 'feedback';

/** What somebody wants to do to a mail. */
export type CommandType =
  | 'DUE'
  | 'CLAIM'
  | 'RECORD_SENT'
  | 'SCHEDULE_RETRY'
  | 'STEP_ASIDE'
  | 'HOLD'
  | 'REQUEUE'
  | 'WATCH_LATER'
  | 'FAIL'
  | 'EXPIRE'
  | 'REDRIVE'
  | 'CANCEL'
  | 'CONFIRM_SENT'
  | 'CONFIRM_DELIVERY'
  | 'CONFIRM_BOUNCE'
  | 'CONFIRM_COMPLAINT'
  | 'NOTE';

export interface Transition {
  readonly from: EmailStatus;
  readonly command: CommandType;
  readonly to: EmailStatus;
  readonly who: readonly Actor[];
}

const WAITING = ['PENDING', 'RETRY_SCHEDULED'] as const;
const LIVE = [...WAITING, 'SENT_ATTEMPT'] as const;
const SENT_ON = ['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED'] as const;

/** The state machine. What is not here is impossible: an error, never a write. */
export const TRANSITIONS: readonly Transition[] = [
  row(['SCHEDULED'], 'DUE', 'PENDING', 'sweeper'),
  row(LIVE, 'CLAIM', 'SENT_ATTEMPT', 'sender'),
  row(['SENT_ATTEMPT'], 'RECORD_SENT', 'SENT', 'sender'),
  row(['SENT_ATTEMPT'], 'SCHEDULE_RETRY', 'RETRY_SCHEDULED', 'sender'),
  row(['SENT_ATTEMPT'], 'STEP_ASIDE', 'RETRY_SCHEDULED', 'sender'),
  stays(LIVE, 'HOLD', 'sender'),
  stays(LIVE, 'REQUEUE', 'sender', 'sweeper'),
  stays(LIVE, 'WATCH_LATER', 'sweeper'),
  row(LIVE, 'FAIL', 'FAILED', 'sender'),
  row(['SCHEDULED', ...LIVE, 'FAILED'], 'EXPIRE', 'EXPIRED', 'sender', 'sweeper'),
  row(['FAILED'], 'REDRIVE', 'PENDING', 'sender'),
  row(['SCHEDULED', ...WAITING], 'CANCEL', 'CANCELED', 'api'),
  row(['SENT_ATTEMPT', 'RETRY_SCHEDULED', 'FAILED', 'EXPIRED'], 'CONFIRM_SENT', 'SENT', 'feedback'),
  row(['SENT'], 'CONFIRM_DELIVERY', 'DELIVERED', 'feedback'),
  row(['SENT', 'DELIVERED'], 'CONFIRM_BOUNCE', 'BOUNCED', 'feedback'),
  row(['SENT', 'DELIVERED', 'BOUNCED'], 'CONFIRM_COMPLAINT', 'COMPLAINED', 'feedback'),
  stays(SENT_ON, 'NOTE', 'feedback'),
].flat();

export function findTransition(from: EmailStatus, command: CommandType): Transition | undefined {
  return TRANSITIONS.find((t) => t.from === from && t.command === command);
}

/** SES has the mail. */
export function isSent(status: EmailStatus): boolean {
  return (SENT_ON as readonly EmailStatus[]).includes(status);
}

/** Somebody still has to do something for this mail. */
export function isLive(status: EmailStatus): boolean {
  return (LIVE as readonly EmailStatus[]).includes(status);
}

function row(
  from: readonly EmailStatus[],
  command: CommandType,
  to: EmailStatus,
  ...who: Actor[]
): Transition[] {
  return from.map((status) => ({ from: status, command, to, who }));
}

function stays(from: readonly EmailStatus[], command: CommandType, ...who: Actor[]): Transition[] {
  return from.map((status) => ({ from: status, command, to: status, who }));
}
