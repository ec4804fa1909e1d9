import { join } from 'node:path';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../clock.ts';
import { Journal } from '../journal.ts';
import type { Endpoints } from '../lambda/environment.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import { clientConfig } from '../template/cloudformation.ts';
import type { Stack } from '../template/stack.ts';
import { mappingSettings } from './mapping-settings.ts';
import { QueueMapping } from './queue-mapping.ts';
import { StreamMapping } from './stream-mapping.ts';

export interface MappingPorts {
  readonly host: LambdaHost;
  readonly sqs: SQSClient;
  readonly endpoints: Endpoints;
  readonly dataDir: string;
  readonly clock: Clock;
  sendToQueue(queueArn: string, body: string): Promise<void>;
}

/** Starts every event source mapping of the template; the returned function stops them. */
export async function startEventSourceMappings(
  stack: Stack,
  ports: MappingPorts,
): Promise<() => Promise<void>> {
  const checkpoints = Journal.open<string>(join(ports.dataDir, 'stream-checkpoints.journal'));
  const inFlight = Journal.open<string>(join(ports.dataDir, 'queue-in-flight.journal'));
  const streams = new DynamoDBStreamsClient(clientConfig(ports.endpoints.dynamodb));
  const queueUrls = new Map(
    stack.ofType('AWS::SQS::Queue').map(({ id }) => [stack.attribute(id, 'Arn'), stack.ref(id)]),
  );
  const mappings: Array<QueueMapping | StreamMapping> = [];
  for (const resource of stack.ofType('AWS::Lambda::EventSourceMapping')) {
    const settings = mappingSettings(resource);
    const target = ports.host.find(settings.functionReference);
    const queueUrl = queueUrls.get(settings.sourceArn);
    const mapping =
      queueUrl === undefined
        ? new StreamMapping(settings, { ...ports, target, streams, checkpoints })
        : new QueueMapping(settings, { sqs: ports.sqs, queueUrl, target, inFlight });
    await mapping.start();
    mappings.push(mapping);
  }
  return async () => {
    await Promise.all(mappings.map((mapping) => mapping.close()));
    streams.destroy();
    checkpoints.close();
    inFlight.close();
  };
}
