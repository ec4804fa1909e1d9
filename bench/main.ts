import { setTimeout as after } from 'node:timers/promises';
import { ArgumentError, parseArguments } from './arguments.ts';
import { benchBundle } from './bundle.ts';
import { benchCost } from './cost.ts';
import { benchFairness } from './fairness.ts';
import { benchLine } from './line.ts';
import { machine, machineLine, renderReport, type Progress, type Report } from './report.ts';

interface Benchmark {
  readonly name: string;
  readonly what: string;
  /** Far more than it takes. What is late is still at work, so nothing is measured after it. */
  readonly limitMs: number;
  run(progress: Progress): Promise<Report[]>;
}

class LateError extends Error {}

const BENCHMARKS: readonly Benchmark[] = [
  { name: 'bundle', what: 'size and cold start of each function', limitMs: 25_000, run: benchBundle },
  { name: 'line', what: 'mails a second, and how long one takes', limitMs: 55_000, run: benchLine },
  { name: 'fairness', what: "one tenant's mail while another floods", limitMs: 70_000, run: benchFairness },
  { name: 'cost', what: 'AWS calls, units and dollars a mail', limitMs: 30_000, run: benchCost },
];

const USAGE = `Measures the gateway on this machine, on the local runner.

  npm run bench -- [NAME…] [--json]

${BENCHMARKS.map(({ name, what }) => `  ${name.padEnd(9)} ${what}`).join('\n')}

  --json    one JSON document on stdout in place of tables; progress is on stderr either way`;

async function main(args: readonly string[]): Promise<number> {
  const known = BENCHMARKS.map(({ name }) => name);
  const { help, json, names } = parseArguments(args, known);
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const here = machine();
  if (!json) console.log(`${machineLine(here)}\n`);
  const reports: Report[] = [];
  const failures: string[] = [];
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.includes(name))) {
    try {
      const found = await within(benchmark);
      reports.push(...found);
      if (!json) for (const report of found) console.log(`${renderReport(report)}\n`);
    } catch (error) {
      failures.push(benchmark.name);
      console.error(`${benchmark.name} failed:`, error);
      if (error instanceof LateError) break;
    }
  }
  if (json) console.log(JSON.stringify({ machine: here, reports, failures }, null, 2));
  return failures.length > 0 ? 1 : 0;
}

async function within({ name, limitMs, run }: Benchmark): Promise<Report[]> {
  const startedAt = Date.now();
  const progress: Progress = (step) => {
    console.error(`[${name} ${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${step}`);
  };
  const over = new AbortController();
  const limit = after(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new LateError(`not done after ${limitMs / 1000} s`);
  });
  try {
    const reports = await Promise.race([run(progress), limit]);
    progress('done');
    return reports;
  } finally {
    over.abort();
  }
}

// What the AWS SDK has to say about Node is not news to whoever measures.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
try {
  // A benchmark that ran out of time may still be running.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof ArgumentError ? error.message : error);
  process.exit(2);
}
