import type {
  CancelMessageMoveTaskRequest,
  ListMessageMoveTasksRequest,
  StartMessageMoveTaskRequest,
} from '@aws-sdk/client-sqs';
import type { Account } from './account.ts';
import { invalidParameter, missingParameter, noSuchResource } from './errors.ts';
import { FASTEST_MOVE_PER_SECOND, type MoveTaskRecord } from './move-tasks.ts';
import { optionalInteger } from './parameters.ts';
import type { Queue } from './queue.ts';

export function startMessageMoveTask(account: Account, input: StartMessageMoveTaskRequest) {
  const source = queueByArn(account, 'SourceArn', input.SourceArn);
  if (account.queues.sourcesOf(source).length === 0) {
    throw invalidParameter('Source queue must be configured as a Dead Letter Queue.');
  }
  const destination = input.DestinationArn
    ? queueByArn(account, 'DestinationArn', input.DestinationArn)
    : undefined;
  if (destination === source) {
    throw invalidParameter('Source queue arn and destination queue arn must not be the same.');
  }
  if (destination && destination.fifo !== source.fifo) {
    throw invalidParameter('The source queue and destination queue must be of the same queue type.');
  }
  const perSecond = optionalInteger(
    'MaxNumberOfMessagesPerSecond',
    input.MaxNumberOfMessagesPerSecond,
    1,
    FASTEST_MOVE_PER_SECOND,
  );
  return { TaskHandle: account.moveTasks.start(source, destination, perSecond).handle };
}

export function listMessageMoveTasks(account: Account, input: ListMessageMoveTasksRequest) {
  const source = queueByArn(account, 'SourceArn', input.SourceArn);
  const most = optionalInteger('MaxResults', input.MaxResults, 1, 10) ?? 1;
  return { Results: account.moveTasks.of(source.arn).slice(0, most).map(asResult) };
}

export function cancelMessageMoveTask(account: Account, input: CancelMessageMoveTaskRequest) {
  if (!input.TaskHandle) throw missingParameter('TaskHandle');
  return { ApproximateNumberOfMessagesMoved: account.moveTasks.cancel(input.TaskHandle).moved };
}

/** Only a running task shows its handle: it is good for cancelling and nothing else. */
function asResult(task: MoveTaskRecord) {
  return {
    ...(task.status === 'RUNNING' && { TaskHandle: task.handle }),
    Status: task.status,
    SourceArn: task.sourceArn,
    ...(task.destinationArn !== undefined && { DestinationArn: task.destinationArn }),
    ...(task.maxPerSecond !== undefined && { MaxNumberOfMessagesPerSecond: task.maxPerSecond }),
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    ...(task.failureReason !== undefined && { FailureReason: task.failureReason }),
    StartedTimestamp: task.startedAt,
  };
}

function queueByArn(account: Account, parameter: string, arn: string | undefined): Queue {
  if (!arn) throw missingParameter(parameter);
  const queue = account.queues.findByArn(arn);
  if (!queue) throw noSuchResource(parameter);
  return queue;
}
