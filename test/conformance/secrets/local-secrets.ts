import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach } from 'vitest';
import { ManualClock } from '../../../local/clock.ts';
import { startSecrets, type SecretsEmulator } from '../../../local/emulators/secrets/server.ts';

/** The emulator and the unmodified SDK client, fresh for each test, on a clock that the test moves. */
export class LocalSecrets {
  clock = new ManualClock();
  client!: SecretsManagerClient;
  emulator!: SecretsEmulator;
  private dataDir!: string;

  static forEachTest(): LocalSecrets {
    const secrets = new LocalSecrets();
    beforeEach(async () => {
      secrets.clock = new ManualClock();
      secrets.dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
      await secrets.start();
    });
    afterEach(async () => {
      await secrets.stop();
      await rm(secrets.dataDir, { recursive: true });
    });
    return secrets;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async value(SecretId: string, version: { VersionId?: string; VersionStage?: string } = {}) {
    const command = new GetSecretValueCommand({ SecretId, ...version });
    return (await this.client.send(command)).SecretString;
  }

  private async start(): Promise<void> {
    this.emulator = await startSecrets({ dataDir: this.dataDir, clock: this.clock });
    this.client = new SecretsManagerClient({
      endpoint: this.emulator.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  }

  private async stop(): Promise<void> {
    this.client.destroy();
    await this.emulator.close();
  }
}
