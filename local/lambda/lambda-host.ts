import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Stack } from '../template/stack.ts';
import { lambdaEnvironment, type Endpoints } from './environment.ts';
import { FunctionLog } from './function-log.ts';
import { LambdaFunction, type InvocationResult, type Interceptor } from './lambda-function.ts';

/** Two cores are what a small laptop has; AWS would go to 1,000. */
const WORKERS_A_FUNCTION = 8;

export interface LambdaHostOptions {
  readonly assetPath: (functionLogicalId: string) => string;
  readonly endpoints: Endpoints;
  readonly logDir: string;
  readonly clock: Clock;
  /** Shows what functions print, besides keeping it in their log files. */
  readonly verbose?: boolean;
}

/** Every function of the template, found by its ARN. */
export class LambdaHost {
  private readonly functions = new Map<string, LambdaFunction>();
  private interceptor: Interceptor | undefined;

  constructor(stack: Stack, options: LambdaHostOptions) {
    for (const resource of stack.ofType('AWS::Lambda::Function')) {
      const properties = resource.properties() as {
        Handler: string;
        Timeout?: number;
        MemorySize?: number;
        ReservedConcurrentExecutions?: number;
        Environment?: { Variables?: Record<string, unknown> };
      };
      const name = stack.ref(resource.id);
      const arn = stack.attribute(resource.id, 'Arn');
      const assetDir = options.assetPath(resource.id);
      const memoryMb = properties.MemorySize ?? 128;
      const { Handler: handler, Environment: environment } = properties;
      const variables = Object.entries(environment?.Variables ?? {}).map(([key, v]) => [key, String(v)]);
      const definition = {
        name,
        arn,
        assetDir,
        handler,
        memoryMb,
        clockShift: options.clock.shift,
        timeoutMs: (properties.Timeout ?? 3) * 1000,
        maxConcurrency: Math.min(properties.ReservedConcurrentExecutions ?? Infinity, WORKERS_A_FUNCTION),
        env: {
          ...lambdaEnvironment({ name, handler, memoryMb, assetDir }, options.endpoints),
          ...(Object.fromEntries(variables) as Record<string, string>),
        },
      };
      const echo = options.verbose ? (text: string) => process.stdout.write(`[${name}] ${text}`) : undefined;
      const log = new FunctionLog(join(options.logDir, `${name}.log`), echo);
      this.functions.set(arn, new LambdaFunction(definition, log, () => this.interceptor));
    }
  }

  /** By ARN, by name, or by any string that contains the ARN, such as an API Gateway integration URI. */
  find(reference: string): LambdaFunction {
    const arn = /arn:aws:lambda:[^:]+:\d+:function:[A-Za-z0-9_-]+/.exec(reference)?.[0];
    const found = arn
      ? this.functions.get(arn)
      : [...this.functions.values()].find(({ definition }) => definition.name === reference);
    if (!found) throw new Error(`No function "${reference}" in the template.`);
    return found;
  }

  /** Loads every handler now rather than at its first event. */
  warm(): void {
    for (const each of this.functions.values()) each.warm();
  }

  invoke(reference: string, event: unknown): Promise<InvocationResult> {
    return this.find(reference).invoke(event);
  }

  /** Puts `interceptor` around every invocation from now on; undefined takes it away. */
  intercept(interceptor: Interceptor | undefined): void {
    this.interceptor = interceptor;
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.functions.values()].map((each) => each.close(graceMs)));
  }
}
