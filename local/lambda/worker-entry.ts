import { parentPort, workerData } from 'node:worker_threads';
import type { FunctionError, InvokeMessage, WorkerMessage, WorkerSettings } from './protocol.ts';

// Runs inside a worker as the whole program, compiled on its own: only types may be imported from beside it.

type Handler = (event: unknown, context: unknown) => unknown;

const { handlerFile, handlerName, clockShift } = workerData as WorkerSettings;
// Lambda measures a function's time by its own clock, whatever the function believes.
const RealDate = Date;
if (clockShift) shiftDate(new Float64Array(clockShift));

const say = (message: WorkerMessage) => parentPort?.postMessage(message);

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: 'Error', errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}

try {
  const module = (await import(handlerFile)) as Record<string, Handler>;
  const handler = module[handlerName];
  if (typeof handler !== 'function') throw new Error(`${handlerFile} does not export "${handlerName}".`);
  parentPort?.on('message', (message: InvokeMessage) => void run(handler, message));
  say({ type: 'ready' });
} catch (error) {
  say({ type: 'error', error: describe(error) });
}

async function run(handler: Handler, { event, deadline, context }: InvokeMessage): Promise<void> {
  try {
    const result = await handler(JSON.parse(event), {
      ...context,
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis: () => Math.max(0, deadline - RealDate.now()),
    });
    say({ type: 'result', payload: JSON.stringify(result) });
  } catch (error) {
    say({ type: 'error', error: describe(error) });
  }
}

function shiftDate(ahead: Float64Array): void {
  const now = () => RealDate.now() + (ahead[0] ?? 0);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
}
