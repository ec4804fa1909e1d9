import type { IncomingMessage } from 'node:http';
import type { Input, Output } from './actions.ts';
import { SqsError } from './errors.ts';
import type { Call, Protocol } from './protocol.ts';

const TARGET = 'AmazonSQS.';

/** AWS JSON 1.0: what SDKs and CLIs have spoken since the end of 2023. */
export const jsonProtocol: Protocol = {
  contentType: 'application/x-amz-json-1.0',

  read(request: IncomingMessage, body: string): Call {
    const target = String(request.headers['x-amz-target']);
    if (!target.startsWith(TARGET)) throw new SqsError('InvalidAction', `Unknown target ${target}.`);
    return { action: target.slice(TARGET.length), input: parse(body) };
  },

  writeOutput: (_action: string, output: Output) => JSON.stringify(output),

  writeError: (error: SqsError) =>
    JSON.stringify({ __type: `com.amazonaws.sqs#${error.type}`, message: error.message }),
};

function parse(body: string): Input {
  try {
    const input: unknown = JSON.parse(body === '' ? '{}' : body);
    if (typeof input === 'object' && input !== null) return input as Input;
  } catch {
    // Refused below, like JSON that is no object.
  }
  throw new SqsError('SerializationException', 'The request body is not a JSON object.');
}
