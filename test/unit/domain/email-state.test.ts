import { describe, expect, it } from 'vitest';
import { advance } from '../../../shared/domain/advance.ts';
import {
  EMAIL_STATUSES,
  EVENT_TYPES,
  isLive,
  isSent,
  TRANSITIONS,
  type Actor,
  type CommandType,
  type EmailStatus,
} from '../../../shared/domain/email-state.ts';
import { aCommand, COMMAND_TYPES } from '../../factories/a-command.ts';
import { anEmail } from '../../factories/an-email.ts';
import { NOW } from '../../factories/moments.ts';

type Steps = Partial<Record<EmailStatus, EmailStatus>>;

const whileLive: Steps = {
  PENDING: 'PENDING',
  RETRY_SCHEDULED: 'RETRY_SCHEDULED',
  SENT_ATTEMPT: 'SENT_ATTEMPT',
};

/** Command by command, from where it may start and where it ends. Everything else is impossible. */
const STEPS: Record<CommandType, Steps> = {
  DUE: { SCHEDULED: 'PENDING' },
  CLAIM: { PENDING: 'SENT_ATTEMPT', RETRY_SCHEDULED: 'SENT_ATTEMPT', SENT_ATTEMPT: 'SENT_ATTEMPT' },
  RECORD_SENT: { SENT_ATTEMPT: 'SENT' },
  SCHEDULE_RETRY: { SENT_ATTEMPT: 'RETRY_SCHEDULED' },
  STEP_ASIDE: { SENT_ATTEMPT: 'RETRY_SCHEDULED' },
  HOLD: whileLive,
  REQUEUE: whileLive,
  WATCH_LATER: whileLive,
  FAIL: { PENDING: 'FAILED', RETRY_SCHEDULED: 'FAILED', SENT_ATTEMPT: 'FAILED' },
  EXPIRE: {
    SCHEDULED: 'EXPIRED',
    PENDING: 'EXPIRED',
    RETRY_SCHEDULED: 'EXPIRED',
    SENT_ATTEMPT: 'EXPIRED',
    FAILED: 'EXPIRED',
  },
  REDRIVE: { FAILED: 'PENDING' },
  CANCEL: { SCHEDULED: 'CANCELED', PENDING: 'CANCELED', RETRY_SCHEDULED: 'CANCELED' },
  CONFIRM_SENT: { SENT_ATTEMPT: 'SENT', RETRY_SCHEDULED: 'SENT', FAILED: 'SENT', EXPIRED: 'SENT' },
  CONFIRM_DELIVERY: { SENT: 'DELIVERED' },
  CONFIRM_BOUNCE: { SENT: 'BOUNCED', DELIVERED: 'BOUNCED' },
  CONFIRM_COMPLAINT: { SENT: 'COMPLAINED', DELIVERED: 'COMPLAINED', BOUNCED: 'COMPLAINED' },
  NOTE: { SENT: 'SENT', DELIVERED: 'DELIVERED', BOUNCED: 'BOUNCED', COMPLAINED: 'COMPLAINED' },
};

const pairs = COMMAND_TYPES.flatMap((command) => EMAIL_STATUSES.map((from) => ({ from, command })));
const allowed = pairs.flatMap(({ from, command }) => {
  const to = STEPS[command][from];
  return to === undefined ? [] : [{ from, command, to }];
});
const impossible = pairs.filter(({ from, command }) => STEPS[command][from] === undefined);

describe('every step of the state machine', () => {
  it.each(allowed)('$from + $command → $to', ({ from, command, to }) => {
    const before = anEmail({ status: from, rev: 7 });
    const after = advance(before, aCommand(command), NOW);
    expect(after).toMatchObject({ ok: true, email: { status: to, rev: 8 } });
    expect(before).toEqual(anEmail({ status: from, rev: 7 }));
  });

  it.each(impossible)('$from + $command is refused', ({ from, command }) => {
    const before = anEmail({ status: from });
    expect(advance(before, aCommand(command), NOW)).toEqual({ ok: false, from, command });
    expect(before).toEqual(anEmail({ status: from }));
  });

  it('is one row of the table', () => {
    const rows = TRANSITIONS.map(({ from, command, to }) => `${from} ${command} ${to}`);
    expect(rows.sort()).toEqual(allowed.map((step) => `${step.from} ${step.command} ${step.to}`).sort());
  });
});

/** Who may give which command; nobody but the sender fails or redrives a mail, only feedback speaks for SES. */
const ACTORS: Record<CommandType, Actor[]> = {
  DUE: ['sweeper'],
  CLAIM: ['sender'],
  RECORD_SENT: ['sender'],
  SCHEDULE_RETRY: ['sender'],
  STEP_ASIDE: ['sender'],
  HOLD: ['sender'],
  REQUEUE: ['sender', 'sweeper'],
  WATCH_LATER: ['sweeper'],
  FAIL: ['sender'],
  EXPIRE: ['sender', 'sweeper'],
  REDRIVE: ['sender'],
  CANCEL: ['api'],
  CONFIRM_SENT: ['feedback'],
  CONFIRM_DELIVERY: ['feedback'],
  CONFIRM_BOUNCE: ['feedback'],
  CONFIRM_COMPLAINT: ['feedback'],
  NOTE: ['feedback'],
};

it.each(COMMAND_TYPES)('%s is given by those who may', (command) => {
  for (const transition of TRANSITIONS.filter((t) => t.command === command))
    expect(transition.who).toEqual(ACTORS[command]);
});

it('knows which mails are live and which SES has', () => {
  expect(EMAIL_STATUSES.filter(isLive)).toEqual(['PENDING', 'SENT_ATTEMPT', 'RETRY_SCHEDULED']);
  expect(EMAIL_STATUSES.filter(isSent)).toEqual(['SENT', 'DELIVERED', 'BOUNCED', 'COMPLAINED']);
});

it('has all the events of the pipeline', () => {
  for (const type of ['RECEIVED', 'VALIDATED', 'VALIDATION_FAILED', 'SENT_ATTEMPT', 'SENT', 'FAILED'])
    expect(EVENT_TYPES).toContain(type);
  expect(EVENT_TYPES).toContain('RETRY_SCHEDULED');
});
