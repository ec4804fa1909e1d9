import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendEmailCommand, SESv2Client, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SesEvent } from '../../../local/emulators/ses/events.ts';
import type { AcceptedMail } from '../../../local/emulators/ses/mail.ts';
import { startSes, type SesEmulator, type SesOptions } from '../../../local/emulators/ses/server.ts';

export function aSimpleMail(overrides: SendEmailCommandInput | object = {}): SendEmailCommandInput {
  return {
    FromEmailAddress: 'sender@example.com',
    Destination: { ToAddresses: ['ana@example.com'] },
    Content: {
      Simple: {
        Subject: { Data: 'Hello', Charset: 'UTF-8' },
        Body: { Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' } },
      },
    },
    ...overrides,
  };
}

export function aMailTo(...addresses: string[]): SendEmailCommandInput {
  return aSimpleMail({ Destination: { ToAddresses: addresses }, ConfigurationSetName: 'events' });
}

/** A fresh emulator and a real SDK client for every test of the file. */
export class SesFixture {
  readonly events: SesEvent[] = [];
  readonly dataDir = mkdtempSync(join(tmpdir(), 'ses-'));
  emulator!: SesEmulator;
  client!: SESv2Client;

  async start(options: Partial<SesOptions> = {}): Promise<void> {
    this.emulator = await startSes({
      dataDir: this.dataDir,
      configurationSets: ['events'],
      onEvent: (event) => this.events.push(event),
      ...options,
    });
    this.client = new SESv2Client({
      endpoint: this.emulator.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.emulator.close();
  }

  async restart(options: Partial<SesOptions> = {}): Promise<void> {
    await this.stop();
    await this.start(options);
  }

  async send(mail: SendEmailCommandInput = aSimpleMail()): Promise<string> {
    return (await this.client.send(new SendEmailCommand(mail))).MessageId!;
  }

  async control(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
    const response = await fetch(`${this.emulator.url}/_local/${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : JSON.parse(text) };
  }

  async inbox(query = ''): Promise<AcceptedMail[]> {
    return (await this.control('GET', `inbox${query}`)).json as AcceptedMail[];
  }

  eventTypes(): string[] {
    return this.events.map((event) => event.detail.eventType);
  }

  async waitForEvents(count: number): Promise<void> {
    await vi.waitUntil(() => this.events.length >= count, { timeout: 10_000 });
  }
}

export function useSes(options: Partial<SesOptions> = {}): () => SesFixture {
  let fixture: SesFixture;
  beforeEach(async () => {
    fixture = new SesFixture();
    await fixture.start(options);
  });
  afterEach(async () => {
    await fixture.stop();
    rmSync(fixture.dataDir, { recursive: true });
  });
  return () => fixture;
}
