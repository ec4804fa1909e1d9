import type { SenderLog, SenderPorts } from '../../lambdas/sender/ports.ts';
import { sendBatch } from '../../lambdas/sender/send-batch.ts';
import type { Email } from '../../shared/domain/email.ts';
import { jobFromEmail } from '../../shared/domain/job-from-email.ts';
import { laneGroup, queueOf, type QueueName } from '../../shared/domain/lanes.ts';
import type { ReceivedMessage } from '../../shared/ports/mail-queue.ts';
import { aCompany } from '../factories/a-company.ts';
import { MemoryBodyStore } from './memory-body-store.ts';
import { MemoryEmailStore } from './memory-email-store.ts';
import { memoryEvidenceReader } from './memory-evidence-reader.ts';
import { MemoryQueues } from './memory-queues.ts';
import { MemoryTenantStore } from './memory-tenant-store.ts';
import { ScriptedMailer, type SesOutcome } from './scripted-mailer.ts';
import { TestClock } from './test-clock.ts';

export interface Line {
  readonly message: string;
  readonly more: Record<string, unknown>;
}

/** A sender among fakes: mails, their messages, a scripted SES and a clock. */
export class SenderRoom {
  readonly clock = new TestClock();
  readonly emails: MemoryEmailStore;
  readonly tenants = new MemoryTenantStore(aCompany());
  readonly bodies = new MemoryBodyStore();
  readonly queues = new MemoryQueues(this.clock.now);
  readonly mailer: ScriptedMailer;
  readonly testMailer = new ScriptedMailer();
  readonly paced: number[] = [];
  readonly lines: Line[] = [];
  /** What Lambda says is left of the invocation. */
  remainingMs = 60_000;

  constructor(emails: readonly Email[] = [], script: SesOutcome[] = [], then?: SesOutcome) {
    this.emails = new MemoryEmailStore(...emails);
    this.mailer = new ScriptedMailer(script, then);
    for (const email of emails) this.bodies.add(email.htmlRef, { html: '<p>Olá</p>' });
  }

  /** A room in which the mails' messages wait. */
  static withMessages(emails: readonly Email[], script: SesOutcome[] = [], then?: SesOutcome): SenderRoom {
    const room = new SenderRoom(emails, script, then);
    for (const email of emails) room.enqueue(email);
    return room;
  }

  ports(overrides: Partial<SenderPorts> = {}): SenderPorts {
    return {
      emails: this.emails,
      evidence: memoryEvidenceReader(this),
      tenants: this.tenants,
      company: (companyId) => this.tenants.getCompany(companyId),
      queue: this.queues,
      held: this.queues,
      bodies: this.bodies,
      mailer: this.mailer,
      testMailer: this.testMailer,
      served: () => [],
      pace: (recipients) => {
        this.paced.push(recipients);
        return Promise.resolve();
      },
      now: this.clock.now,
      sleep: this.clock.sleep,
      random: () => 0.5,
      remainingMs: () => this.remainingMs,
      log: this.log,
      settings: { defaultFrom: 'no-reply@gateway.example', backoffCurve: 'steps', retentionDays: 30 },
      ...overrides,
    };
  }

  /** Puts the mail's message into its lane, as the relay does. */
  enqueue(email: Email): void {
    const { companyId, lane } = email;
    const job = jobFromEmail(email, this.clock.now());
    this.queues.put(queueOf(lane), laneGroup(companyId, lane), JSON.stringify(job));
  }

  receive(queue: QueueName = 'express'): ReceivedMessage[] {
    return this.queues.receive(queue);
  }

  /** One invocation, with what the queue has now; returns the ids it kept. */
  async invoke(overrides: Partial<SenderPorts> = {}, queue: QueueName = 'express'): Promise<string[]> {
    const batch = this.receive(queue);
    const kept = await sendBatch(batch, this.ports(overrides));
    this.queues.finish(batch, kept);
    return kept;
  }

  private readonly log: SenderLog = {
    state: (email, more = {}) => this.lines.push({ message: `mail is ${email.status}`, more }),
    note: (message, more) => this.lines.push({ message, more }),
    error: (message, more) => this.lines.push({ message, more }),
  };
}
