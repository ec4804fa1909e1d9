import type { IncomingMessage } from 'node:http';
import type { Input, Output } from './actions.ts';
import type { SqsError } from './errors.ts';

export interface Call {
  readonly action: string;
  readonly input: Input;
}

/** One of the two ways in which SQS is spoken to; the actions know only the JSON shapes. */
export interface Protocol {
  readonly contentType: string;
  read(request: IncomingMessage, body: string): Call;
  writeOutput(action: string, output: Output, requestId: string): string;
  writeError(error: SqsError, requestId: string): string;
}
