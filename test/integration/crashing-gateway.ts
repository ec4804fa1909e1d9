import { JumpingClock } from '../../local/clock.ts';
import { writeReadyFile } from '../../local/ready-file.ts';
import { startLocal } from '../../local/start.ts';
import { startFaultProxy, type Call } from './fault-proxy.ts';

/** Where the whole process dies: at the nth such call about the mail, before or after the service did it. */
export interface CrashPoint {
  readonly room: string;
  readonly operation: string;
  readonly nth: number;
  readonly when: 'before' | 'after';
  /** Part of every call that is meant. */
  readonly about: string;
}

interface Orders {
  readonly dataDir: string;
  readonly readyFile: string;
  /** Later than when the process before it died, so that leases and waits are over. */
  readonly shiftMs: number;
  readonly crash: CrashPoint | null;
}

const { dataDir, readyFile, shiftMs, crash } = JSON.parse(process.argv[2] ?? '') as Orders;
const clock = new JumpingClock();
clock.jump(shiftMs);
let seen = 0;

function die(call: Call, when: CrashPoint['when']): void {
  if (!crash || call.room !== crash.room || call.operation !== crash.operation) return;
  if (!call.body.includes(crash.about)) return;
  if (when === 'before') seen += 1;
  if (seen === crash.nth && when === crash.when) process.kill(process.pid, 'SIGKILL');
}

const hooks = {
  before: (call: Call) => die(call, 'before'),
  after: (call: Call) => die(call, 'after'),
};
const gateway = await startLocal({
  port: 0,
  dataDir,
  clock,
  endpointsForFunctions: async (endpoints) => ({
    ...endpoints,
    dynamodb: (await startFaultProxy(endpoints.dynamodb, hooks)).url,
    ses: (await startFaultProxy(endpoints.ses, hooks)).url,
  }),
});
// The SDK calls a queue at its own URL, past any proxy: for a room that only sends, its whole run is that call.
gateway.host.intercept(async ({ functionName, event, run }) => {
  const room = (/^[A-Z][a-z]+/.exec(functionName)?.[0] ?? '').toLowerCase();
  const call = { room, operation: 'run', body: JSON.stringify(event) };
  die(call, 'before');
  const result = await run();
  die(call, 'after');
  return result;
});
writeReadyFile(readyFile, gateway.ready);
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)));
