import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../clock.ts';
import { readBody, serve } from '../../http-server.ts';
import { SecretsError } from './errors.ts';
import { perform } from './operations.ts';
import { Secrets } from './secrets.ts';

export interface SecretsOptions {
  readonly dataDir: string;
  /** @default a free one */
  readonly port?: number;
  /** @default the system's */
  readonly clock?: Clock;
  /** @default us-east-1 */
  readonly region?: string;
}

export interface SecretsEmulator {
  readonly url: string;
  /** The ARN of the secret with this name, which is created with the generated value if it is not there. */
  ensureSecret(name: string, generate: () => string): Promise<string>;
  close(): Promise<void>;
}

/** AWS Secrets Manager on 127.0.0.1, for the AWS SDK and the AWS CLI as they are. Values are on disk in the clear. */
export async function startSecrets(options: SecretsOptions): Promise<SecretsEmulator> {
  // The port comes first: if another emulator has it, that one's data must stay untouched. Nothing is awaited
  // from here to the secrets, so no request can come in before they are there.
  const listening = await serve((request, response) => void answer(secrets, request, response), options.port);
  const secrets = new Secrets(options.dataDir, options.clock ?? systemClock, options.region ?? 'us-east-1');
  return {
    url: listening.url,
    ensureSecret: async (name, generate) => secrets.ensure(name, generate).arn,
    close: async () => {
      await listening.close();
      secrets.close();
    },
  };
}

async function answer(secrets: Secrets, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  response.setHeader('x-amzn-requestid', randomUUID());
  try {
    const input = parseJson((await readBody(request)).toString());
    const output = perform(secrets, String(request.headers['x-amz-target']), input);
    response.end(JSON.stringify(output));
  } catch (thrown) {
    if (response.destroyed) return;
    const error =
      thrown instanceof SecretsError ? thrown : new SecretsError('InternalServiceError', String(thrown));
    response.statusCode = error.status;
    // AWS spells it with a capital for this service, and the SDKs read either.
    response.end(JSON.stringify({ __type: error.name, Message: error.message }));
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new SecretsError('SerializationException', 'The request body is not valid JSON.');
  }
}
