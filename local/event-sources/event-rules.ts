import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { AsyncInvoker } from '../lambda/async-invoker.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../template/cloudformation.ts';
import type { Stack } from '../template/stack.ts';
import { matchesPattern, type EventPattern } from './event-pattern.ts';
import { parseSchedule } from './schedule-expression.ts';

interface RuleTarget {
  readonly Arn: string;
  readonly Input?: string;
}

/** EventBridge's default bus: the template's rules, on a schedule or on a pattern, with Lambda targets. */
export class EventRules {
  private readonly patterns: Array<{ pattern: EventPattern; targets: readonly RuleTarget[] }> = [];
  private readonly schedules: Array<{ arn: string; expression: string; targets: readonly RuleTarget[] }> = [];
  private readonly cancels = new Map<string, () => void>();

  constructor(
    stack: Stack,
    private readonly invoker: AsyncInvoker,
    private readonly clock: Clock,
  ) {
    for (const rule of stack.ofType('AWS::Events::Rule')) {
      const properties = rule.properties() as {
        State?: 'ENABLED' | 'DISABLED';
        ScheduleExpression?: string;
        EventPattern?: EventPattern;
        Targets?: RuleTarget[];
      };
      const {
        State,
        ScheduleExpression: expression,
        EventPattern: pattern,
        Targets: targets = [],
      } = properties;
      if (State === 'DISABLED') continue;
      const arn = stack.attribute(rule.id, 'Arn');
      if (expression !== undefined) this.schedules.push({ arn, expression, targets });
      if (pattern !== undefined) this.patterns.push({ pattern, targets });
    }
  }

  startSchedules(): void {
    for (const { arn, expression, targets } of this.schedules) {
      const next = parseSchedule(expression);
      const arm = () => {
        const at = next(this.clock.now());
        if (at === Infinity) return;
        const cancel = this.clock.after(at - this.clock.now(), () => {
          this.deliver(targets, scheduledEvent(arn, this.clock.now()));
          arm();
        });
        this.cancels.set(arn, cancel);
      };
      arm();
    }
  }

  /** What `PutEvents` would do with one event. */
  publish(event: unknown): void {
    for (const { pattern, targets } of this.patterns) {
      if (matchesPattern(pattern, event)) this.deliver(targets, event);
    }
  }

  stopSchedules(): void {
    for (const cancel of this.cancels.values()) cancel();
    this.cancels.clear();
  }

  private deliver(targets: readonly RuleTarget[], event: unknown): void {
    for (const { Arn, Input } of targets) {
      this.invoker.invoke(Arn, Input === undefined ? event : (JSON.parse(Input) as unknown));
    }
  }
}

function scheduledEvent(ruleArn: string, now: number): unknown {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: LOCAL_ACCOUNT,
    time: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: LOCAL_REGION,
    resources: [ruleArn],
    detail: {},
  };
}
