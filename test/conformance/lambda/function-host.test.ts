import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JumpingClock } from '../../../local/clock.ts';
import { LambdaHost } from '../../../local/lambda/lambda-host.ts';
import { Stack } from '../../../local/template/stack.ts';
import { DAY } from '../../factories/moments.ts';

/** Does what its event says. */
const HANDLER = `
let invocations = 0;
export const handler = async (event, context) => {
  invocations += 1;
  switch (event.do) {
    case 'exit': process.exit(3);
    case 'throw later': setTimeout(() => { throw new RangeError('too late'); }); return new Promise(() => {});
    case 'reject later': void Promise.reject(new RangeError('unhandled')); return new Promise(() => {});
    case 'hang': return new Promise(() => {});
    case 'spin': for (;;);
    case 'throw': throw new TypeError('refused');
    case 'print': console.log('a line of ' + context.functionName); return null;
    case 'environment': return process.env;
    case 'context': return { ...context, remaining: context.getRemainingTimeInMillis() };
    case 'clock': return [Date.now(), new Date().getTime(), context.getRemainingTimeInMillis()];
    case 'nothing': return undefined;
    case 'cycle': { const cycle = {}; cycle.cycle = cycle; return cycle; }
    default: return { event, invocations };
  }
};
`;

const ENDPOINTS = {
  dynamodb: 'http://127.0.0.1:1',
  sqs: 'http://127.0.0.1:2',
  ses: 'http://127.0.0.1:3',
  s3: 'http://127.0.0.1:4',
  secrets: 'http://127.0.0.1:5',
};

const aFunction = (properties: Record<string, unknown> = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'index.handler', Timeout: 10, ReservedConcurrentExecutions: 1, ...properties },
});

const template = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue' },
    Worker: aFunction({
      MemorySize: 256,
      Environment: { Variables: { QUEUE: { Ref: 'Queue' }, NUMBER: 42 } },
    }),
    Impatient: aFunction({ Timeout: 1 }),
    Broken: aFunction({ Handler: 'broken.handler' }),
    Misnamed: aFunction({ Handler: 'index.nothing' }),
  },
};

let folder: string;
let host: LambdaHost;
const clock = new JumpingClock();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'email-gateway-lambda-'));
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code', 'index.mjs'), HANDLER);
  writeFileSync(join(folder, 'code', 'broken.mjs'), 'throw new SyntaxError("cannot be loaded");');
  host = new LambdaHost(new Stack(template), {
    assetPath: () => join(folder, 'code'),
    endpoints: ENDPOINTS,
    logDir: join(folder, 'logs'),
    clock,
  });
});
afterAll(async () => {
  await host.close(0);
  rmSync(folder, { recursive: true, force: true });
});

const invoke = (what: string, name = 'Worker') => host.invoke(name, { do: what });
const payload = async <T>(what: string, name?: string) => {
  const result = await invoke(what, name);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.payload as T;
};
/** It answers, whatever happened to it before. */
const expectAlive = async (name?: string) =>
  expect(await invoke('echo', name)).toMatchObject({ ok: true, payload: { event: { do: 'echo' } } });

describe('a function', () => {
  it('keeps its worker from one invocation to the next', async () => {
    const { invocations } = await payload<{ invocations: number }>('count');
    expect(await payload('count')).toMatchObject({ invocations: invocations + 1 });
  });

  it('that returns nothing answers null', async () => {
    expect(await payload('nothing')).toBeNull();
  });

  it('is told who it is and how long it has', async () => {
    const result = await invoke('context');
    expect(result).toMatchObject({
      ok: true,
      payload: {
        awsRequestId: result.requestId,
        functionName: 'Worker',
        functionVersion: '$LATEST',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
        memoryLimitInMB: '256',
      },
    });
    const { remaining } = (result as { payload: { remaining: number } }).payload;
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(10_000);
  });

  it('is found by ARN, by name and in an integration URI', () => {
    const arn = 'arn:aws:lambda:us-east-1:000000000000:function:Worker';
    const uri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${arn}/invocations`;
    for (const reference of [arn, 'Worker', uri]) expect(host.find(reference).definition.name).toBe('Worker');
    expect(() => host.find('Nobody')).toThrow(new Error('No function "Nobody" in the template.'));
  });

  it('logs what it prints and how each invocation went', async () => {
    const { requestId } = await invoke('print');
    await invoke('throw');
    const log = () => readFileSync(join(folder, 'logs', 'Worker.log'), 'utf8');
    await expect.poll(log).toContain('a line of Worker\n');
    await expect.poll(log).toContain(`REPORT RequestId: ${requestId}\tDuration: `);
    await expect.poll(log).toContain('\tStatus: error\tError: TypeError: refused\n');
  });
});

describe('the environment of a function', () => {
  it("is the template's and Lambda's, and nothing of this process", async () => {
    process.env['A_SECRET_OF_THE_DEVELOPER'] = 'x';
    try {
      // A worker that starts only now, so that it could have seen it.
      await invoke('exit');
      const environment = await payload<Record<string, string>>('environment');
      expect(environment).toMatchObject({
        QUEUE: 'Queue',
        NUMBER: '42',
        AWS_REGION: 'us-east-1',
        AWS_LAMBDA_FUNCTION_NAME: 'Worker',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
        AWS_ENDPOINT_URL_SQS: ENDPOINTS.sqs,
        AWS_ENDPOINT_URL_SESV2: ENDPOINTS.ses,
      });
      const foreign = Object.keys(environment).filter(
        (name) => !/^(AWS_|LAMBDA_TASK_ROOT$|_HANDLER$|TZ$|QUEUE$|NUMBER$)/.test(name),
      );
      expect(foreign).toEqual([]);
    } finally {
      delete process.env['A_SECRET_OF_THE_DEVELOPER'];
    }
  });

  it('does not reach another function', async () => {
    expect(await payload('environment', 'Impatient')).not.toHaveProperty('QUEUE');
  });
});

describe('a failure', () => {
  it('that is thrown is reported, and the worker lives on', async () => {
    const { invocations } = await payload<{ invocations: number }>('count');
    expect(await invoke('throw')).toMatchObject({
      ok: false,
      error: { errorType: 'TypeError', errorMessage: 'refused', trace: expect.any(Array) },
    });
    expect(await payload('count')).toMatchObject({ invocations: invocations + 2 });
  });

  it('to answer with JSON is reported', async () => {
    expect(await invoke('cycle')).toMatchObject({ ok: false, error: { errorType: 'TypeError' } });
  });

  it.each([
    ['exit', { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with exit code 3' }],
    ['throw later', { errorType: 'RangeError', errorMessage: 'too late' }],
    ['reject later', { errorType: 'RangeError', errorMessage: 'unhandled' }],
  ])('that ends the worker (%s) is one invocation only', async (what, error) => {
    expect(await invoke(what)).toMatchObject({ ok: false, error });
    await expectAlive();
    expect(await invoke(what)).toMatchObject({ ok: false, error });
    await expectAlive();
  });

  it.each(['hang', 'spin'])('to end in time (%s) is reported, and ends the worker', async (what) => {
    expect(await invoke(what, 'Impatient')).toMatchObject({
      ok: false,
      error: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 1.00 seconds' },
    });
    expect(await payload('count', 'Impatient')).toMatchObject({ invocations: 1 });
  });

  it.each([
    ['Broken', { errorType: 'SyntaxError', errorMessage: 'cannot be loaded' }],
    ['Misnamed', { errorMessage: expect.stringContaining('does not export "nothing"') }],
  ])('to load (%s) is reported at each invocation', async (name, error) => {
    for (let call = 0; call < 2; call += 1)
      expect(await invoke('echo', name)).toMatchObject({ ok: false, error });
  });
});

describe('the machine', () => {
  it('may crash under a running invocation', async () => {
    const running = invoke('hang');
    await expect.poll(() => host.find('Worker').killRunning()).toBe(1);
    expect(await running).toMatchObject({ ok: false, error: { errorType: 'Runtime.ExitError' } });
    await expectAlive();
  });

  it('runs no more at once than is reserved; the others wait their turn', async () => {
    const first = invoke('hang');
    const second = invoke('echo');
    await expect.poll(() => host.find('Worker').killRunning()).toBe(1);
    expect([(await first).ok, (await second).ok]).toEqual([false, true]);
  });

  it('has a clock that jumps for functions too, but not for the time they have left', async () => {
    const before = Date.now();
    clock.jump(DAY);
    const [now = 0, created = 0, remaining = 0] = await payload<number[]>('clock');
    expect(now).toBeGreaterThanOrEqual(before + DAY);
    expect(created).toBeGreaterThanOrEqual(before + DAY);
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(10_000);
  });

  it('lets a test stand in front of every invocation', async () => {
    const seen: unknown[] = [];
    host.intercept(async ({ functionName, event, run }) => {
      seen.push([functionName, event]);
      return run();
    });
    try {
      await expectAlive();
    } finally {
      host.intercept(undefined);
    }
    await expectAlive();
    expect(seen).toEqual([['Worker', { do: 'echo' }]]);
  });
});

describe('a stop', () => {
  const start = () => {
    const assetPath = () => join(folder, 'code');
    const logDir = join(folder, 'stopped');
    return new LambdaHost(new Stack(template), { assetPath, endpoints: ENDPOINTS, logDir, clock });
  };

  it('lets what runs finish, has it in the log, and takes nothing more', async () => {
    const stopped = start();
    const running = stopped.invoke('Worker', { do: 'print' });
    const closing = stopped.close(30_000);
    const { requestId, ok } = await running;
    await closing;
    expect(ok).toBe(true);
    expect(readFileSync(join(folder, 'stopped', 'Worker.log'), 'utf8')).toContain(
      `REPORT RequestId: ${requestId}`,
    );
    await expect(stopped.invoke('Worker', {})).rejects.toThrow('Worker is shutting down.');
  });

  it('ends what does not finish, and whoever waits behind it', async () => {
    const stopped = start();
    const running = stopped.invoke('Worker', { do: 'spin' });
    const waiting = expect(stopped.invoke('Worker', {})).rejects.toThrow('Worker is shutting down.');
    await stopped.close(0);
    expect(await running).toMatchObject({ ok: false });
    await waiting;
  });
});
