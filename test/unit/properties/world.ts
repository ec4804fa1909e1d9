import { acceptEmail } from '../../../lambdas/api/accept-email.ts';
import { cancelEmail } from '../../../lambdas/api/cancel-email.ts';
import { applyFeedback } from '../../../lambdas/feedback/apply-feedback.ts';
import type { Feedback } from '../../../lambdas/feedback/ses-event.ts';
import { relayChanges } from '../../../lambdas/relay/relay-changes.ts';
import { sendBatch } from '../../../lambdas/sender/send-batch.ts';
import { sweep } from '../../../lambdas/sweeper/sweep.ts';
import type { Email } from '../../../shared/domain/email.ts';
import { isLive } from '../../../shared/domain/email-state.ts';
import type { QueueName } from '../../../shared/domain/lanes.ts';
import type { ReceivedMessage } from '../../../shared/ports/mail-queue.ts';
import type { OutgoingMail, SendResult } from '../../../shared/ports/mailer.ts';
import { aCompany, COMPANY_ID } from '../../factories/a-company.ts';
import { aKeyring } from '../../factories/a-keyring.ts';
import { aSendBody, aSendRequest } from '../../factories/a-send-request.ts';
import { HOUR, iso, MINUTE, SECOND } from '../../factories/moments.ts';
import { memoryWorkset } from '../../fakes/memory-workset.ts';
import type { SesOutcome } from '../../fakes/scripted-mailer.ts';
import { SenderRoom } from '../../fakes/sender-room.ts';
import type { Action } from './actions.ts';
import { FINE, type Fate } from './fault-plan.ts';
import { Invocation, type Surroundings } from './invocation.ts';

/** A call that reached SES. */
export interface Call {
  readonly outboxId: string;
  readonly at: number;
  readonly expiresAt: string;
}

/** A mail that SES took, and how many writes had been made by then. */
export interface Accept {
  readonly outboxId: string;
  readonly writes: number;
}

const keyring = aKeyring();
const isOpen = ({ status }: Email) => status === 'SCHEDULED' || isLive(status);

/** The whole gateway on fakes. Each room runs in invocations that a scheduler interleaves and that may die. */
export class World implements Surroundings {
  private readonly room: SenderRoom;
  readonly calls: Call[] = [];
  readonly accepts: Accept[] = [];
  private readonly events: Feedback[] = [];
  /** Messages that an operator moved back. */
  redriven = 0;
  /** Mails with half a day left when the faults stopped, and nobody's order to wait. */
  readonly inTime: string[] = [];
  private relayed = 0;
  private lastBatch: ReceivedMessage[] = [];
  private messagesLost = false;

  constructor(
    readonly turn: (call: string) => Promise<unknown>,
    private readonly plan: Fate[],
    script: SesOutcome[],
  ) {
    this.room = new SenderRoom([], script);
  }

  get clock() {
    return this.room.clock;
  }
  get emails() {
    return this.room.emails;
  }
  get queues() {
    return this.room.queues;
  }
  /** Whether a message was thrown away by hand, or in two senders' hands at once, so that one may have deleted it. */
  get lostMessages() {
    return this.messagesLost;
  }

  readonly nextFate = (): Fate => this.plan.shift() ?? FINE;

  /** Starts what the action says; the returned promise is the end of it. */
  async act(action: Action): Promise<unknown> {
    switch (action.do) {
      case 'accept':
        return this.accept(action);
      case 'relay':
        return this.relay(action.replay);
      case 'receive':
        return this.receive(action.queue, action.again);
      case 'tick':
        this.clock.advance(this.nextMoment() - this.clock.now());
        return this.receive(action.queue, false);
      case 'sweep':
        return this.sweep();
      case 'jump':
        return this.clock.advance(action.ms);
      case 'cancel':
        return this.cancel(action.mail);
      case 'redrive':
        return (this.redriven += this.queues.redrive());
      case 'event':
        return this.event(action.which, action.keep);
      case 'empty':
        this.messagesLost = true;
        return this.queues.empty();
      case 'suspend':
        return this.room.tenants.putCompany(aCompany({ suspended: action.suspended }));
      case 'suppress':
        return this.room.tenants.putSuppression({
          companyId: COMPANY_ID,
          address: 'cliente@example.com',
          reason: 'MANUAL',
          createdAt: iso(this.clock.now()),
        });
    }
  }

  /** No more faults; time passes until nobody has anything to do. */
  async settle(): Promise<void> {
    this.plan.length = 0;
    this.room.mailer.calmDown();
    this.inTime.push(...this.stillInTime());
    for (let round = 0; round < 400 && this.isBusy(); round += 1) {
      await this.relay(false);
      for (const queue of ['express', 'bulk'] as const) while (await this.receive(queue, false));
      await this.sweep();
      this.clock.advance(this.nextMoment() - this.clock.now());
    }
  }

  /** Every word that SES still owes us arrives. */
  async deliverEvents(): Promise<void> {
    for (const feedback of this.events.splice(0)) await this.tell(feedback);
  }

  private stillInTime(): string[] {
    if (this.room.tenants.companies.get(COMPANY_ID)?.suspended) return [];
    const left = ({ expiresAt }: Email) => Date.parse(expiresAt) - this.clock.now();
    return this.emails
      .all()
      .filter((email) => isOpen(email) && left(email) > 12 * HOUR)
      .map(({ outboxId }) => outboxId);
  }

  private isBusy(): boolean {
    return this.emails.all().some(isOpen) || this.queues.all().length > 0;
  }

  private nextMoment(): number {
    const looks = this.emails
      .all()
      .filter(({ status }) => status !== 'FAILED')
      .flatMap(({ worksetAt }) => (worksetAt === undefined ? [] : [Date.parse(worksetAt)]));
    const messages = this.queues.all().map(({ visibleAt }) => visibleAt);
    const now = this.clock.now();
    return Math.min(now + 10 * MINUTE, ...[...looks, ...messages].filter((at) => at > now));
  }

  private accept({ mail }: Extract<Action, { do: 'accept' }>): Promise<unknown> {
    const { delayMs, ...fields } = mail;
    const asked = {
      ...fields,
      ...(delayMs !== undefined && { sendAt: iso(this.clock.now() + delayMs) }),
    };
    const api = new Invocation(this, 'api', 29 * SECOND);
    let byte = this.emails.all().length;
    return api.run(() =>
      acceptEmail(
        {
          request: aSendRequest(asked),
          received: aSendBody(asked),
          caller: { companyId: COMPANY_ID, mode: 'live', bulkLanes: 4 },
          requestId: 'req-1',
        },
        {
          emails: api.through('emails', this.emails),
          bodies: api.through('bodies', this.room.bodies),
          keyring,
          now: this.clock.now,
          random: (count) => new Uint8Array(count).fill((byte += 1)),
        },
      ).catch(() => 'refused'),
    );
  }

  private async relay(replay: boolean): Promise<void> {
    const inserted = this.emails.written.filter(
      ({ before, after }) => before === undefined && after.status === 'PENDING',
    );
    const from = replay ? 0 : this.relayed;
    const changes = inserted
      .slice(from)
      .map(({ after }, i) => ({ sequenceNumber: String(from + i), image: after }));
    const relay = new Invocation(this, 'relay', 30 * SECOND);
    const done = await relay.run(() =>
      relayChanges(changes, { queue: relay.through('queue', this.queues), now: this.clock.now }).catch(
        () => 'failed' as const,
      ),
    );
    if (Array.isArray(done) && done.length === 0) this.relayed = Math.max(this.relayed, inserted.length);
  }

  /** Hands a batch to a sender; `again`: one that another sender already has. */
  private async receive(queue: QueueName, again: boolean): Promise<boolean> {
    const batch = again ? this.lastBatch : this.queues.receive(queue);
    if (batch.length === 0) return false;
    this.lastBatch = batch;
    if (again) this.messagesLost = true;
    const sender = new Invocation(this, 'sender', 60 * SECOND);
    const { emails, queues, room } = this;
    const ports = room.ports({
      emails: sender.through('emails', emails),
      evidence: sender.through('evidence', room.ports().evidence),
      tenants: sender.through('tenants', room.tenants),
      bodies: sender.through('bodies', room.bodies),
      queue: sender.through('queue', queues),
      held: sender.through('held', queues),
      mailer: { send: (mail) => this.callSes(mail, sender) },
      sleep: (ms) => sender.call('sleep', () => this.clock.sleep(ms)),
      remainingMs: sender.remainingMs,
    });
    const kept = await sender.run(() => sendBatch(batch, ports));
    if (kept !== 'died') queues.finish(batch, kept);
    return true;
  }

  /** A lost answer is an outcome of SES, so here only the sender itself may die. */
  private callSes(mail: OutgoingMail, sender: Invocation): Promise<SendResult> {
    const { outboxId, companyId } = mail.tags;
    this.calls.push({ outboxId, at: this.clock.now(), expiresAt: this.emails.one(outboxId).expiresAt });
    const send = () => {
      const before = this.room.mailer.accepted.length;
      const result = this.room.mailer.send(mail);
      const accepted = this.room.mailer.accepted.slice(before);
      for (const { messageId } of accepted) {
        const at = iso(this.clock.now());
        const about = { outboxId, companyId, sesMessageId: messageId, at };
        this.accepts.push({ outboxId, writes: this.emails.written.length });
        this.events.push(
          { ...about, kind: 'sent' },
          { ...about, kind: 'delivered', meta: { at, messageId } },
        );
      }
      return result;
    };
    const timedOut = { name: 'TimeoutError', message: 'no answer in time', typed: false };
    return sender.call('mailer.send', send).catch(() => ({ sent: false, error: timedOut }));
  }

  private async sweep(): Promise<void> {
    const sweeper = new Invocation(this, 'sweeper', 60 * SECOND);
    await sweeper.run(() =>
      sweep({
        emails: sweeper.through('emails', this.emails),
        workset: memoryWorkset(this.emails),
        queue: sweeper.through('queue', this.queues),
        queued: () => Promise.resolve(this.queues.all().length),
        now: this.clock.now,
        retentionDays: 30,
        log: () => {},
      }).catch(() => 'failed'),
    );
  }

  private async cancel(which: number): Promise<void> {
    const all = this.emails.all();
    const email = all[which % all.length];
    if (!email) return;
    const api = new Invocation(this, 'api', 29 * SECOND);
    const emails = api.through('emails', this.emails);
    await api.run(() =>
      cancelEmail(email, { emails, now: this.clock.now, retentionDays: 30 }).catch(() => 'refused'),
    );
  }

  /** EventBridge delivers in any order and at least once; what failed or came early comes again. */
  private async event(which: number, keep: boolean): Promise<void> {
    const [feedback] = this.events.splice(which % this.events.length, 1);
    if (!feedback) return;
    const heard = await this.tell(feedback);
    if (keep || !heard) this.events.push(feedback);
  }

  private async tell(feedback: Feedback): Promise<boolean> {
    const room = new Invocation(this, 'feedback', 30 * SECOND);
    const { tenants } = this.room;
    const emails = room.through('emails', this.emails);
    const ports = { emails, tenants, now: this.clock.now, retentionDays: 30 };
    const result = await room.run(() =>
      applyFeedback(feedback, ports).catch(() => ({ outcome: 'failed' as const })),
    );
    return result !== 'died' && (result.outcome === 'applied' || result.outcome === 'ignored');
  }
}
