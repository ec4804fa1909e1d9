import { invalidValue } from './errors.ts';
import type { Queue } from './queue.ts';

export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

interface RedriveAllowPolicy {
  readonly redrivePermission: 'allowAll' | 'denyAll' | 'byQueue';
  readonly sourceQueueArns?: string[];
}

/** The console and CloudFormation write the count as a number, the CLI often as text. */
export function parseRedrivePolicy(text: string | undefined): RedrivePolicy | undefined {
  if (!text) return undefined;
  const policy = parseObject('RedrivePolicy', text);
  const maxReceiveCount = Number(policy['maxReceiveCount']);
  if (typeof policy['deadLetterTargetArn'] !== 'string' || policy['maxReceiveCount'] === undefined) {
    throw invalidValue(
      'RedrivePolicy',
      text,
      'Redrive policy needs deadLetterTargetArn and maxReceiveCount.',
    );
  }
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000) {
    throw invalidValue(
      'RedrivePolicy',
      text,
      'Invalid value for maxReceiveCount: must be between 1 and 1000.',
    );
  }
  return { deadLetterTargetArn: policy['deadLetterTargetArn'], maxReceiveCount };
}

/** Refuses a policy whose target is missing, of the other type, the queue itself, or closed to the queue. */
export function checkRedriveTarget(
  text: string,
  source: { arn: string; fifo: boolean },
  target: Queue | undefined,
): void {
  const refuse = (reason: string) => invalidValue('RedrivePolicy', text, reason);
  if (!target) throw refuse('Dead letter target does not exist.');
  if (target.arn === source.arn) throw refuse('Dead-letter queue must be another queue than the source.');
  if (target.fifo !== source.fifo)
    throw refuse('Dead-letter queue must be same type of queue as the source.');
  const allow = parseRedriveAllowPolicy(target.record.attributes['RedriveAllowPolicy']);
  const allowed =
    allow.redrivePermission === 'allowAll' ||
    (allow.redrivePermission === 'byQueue' && allow.sourceQueueArns?.includes(source.arn));
  if (!allowed) throw refuse('The dead-letter queue does not allow this source queue.');
}

export function parseRedriveAllowPolicy(text: string | undefined): RedriveAllowPolicy {
  if (!text) return { redrivePermission: 'allowAll' };
  const policy = parseObject('RedriveAllowPolicy', text);
  const permission = policy['redrivePermission'];
  const arns = policy['sourceQueueArns'];
  if (permission === 'allowAll' || permission === 'denyAll') return { redrivePermission: permission };
  if (permission !== 'byQueue' || !Array.isArray(arns) || arns.length < 1 || arns.length > 10) {
    throw invalidValue(
      'RedriveAllowPolicy',
      text,
      'Needs a redrivePermission, and for byQueue 1 to 10 sourceQueueArns.',
    );
  }
  return { redrivePermission: permission, sourceQueueArns: arns.map(String) };
}

function parseObject(parameter: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON: refused below like any other text.
  }
  throw invalidValue(parameter, text, 'Policy is not valid JSON.');
}
