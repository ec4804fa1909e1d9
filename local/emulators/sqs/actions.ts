import type { Account } from './account.ts';
import { SqsError } from './errors.ts';
import * as messages from './message-actions.ts';
import * as moveTasks from './move-task-actions.ts';
import * as queues from './queue-actions.ts';

export type Input = Record<string, unknown>;
export type Output = object;

/** The input has the shape of the action's request in the AWS SDK; the action checks what matters to it. */
type Action = (account: Account, input: never, hungUp: AbortSignal) => Output | Promise<Output>;

const ACTIONS: Record<string, Action> = {
  CreateQueue: queues.createQueue,
  DeleteQueue: queues.deleteQueue,
  GetQueueAttributes: queues.getQueueAttributes,
  GetQueueUrl: queues.getQueueUrl,
  ListDeadLetterSourceQueues: queues.listDeadLetterSourceQueues,
  ListQueues: queues.listQueues,
  ListQueueTags: queues.listQueueTags,
  PurgeQueue: queues.purgeQueue,
  SetQueueAttributes: queues.setQueueAttributes,
  TagQueue: queues.tagQueue,
  UntagQueue: queues.untagQueue,
  ChangeMessageVisibility: messages.changeMessageVisibility,
  ChangeMessageVisibilityBatch: messages.changeMessageVisibilityBatch,
  DeleteMessage: messages.deleteMessage,
  DeleteMessageBatch: messages.deleteMessageBatch,
  ReceiveMessage: messages.receiveMessage,
  SendMessage: messages.sendMessage,
  SendMessageBatch: messages.sendMessageBatch,
  CancelMessageMoveTask: moveTasks.cancelMessageMoveTask,
  ListMessageMoveTasks: moveTasks.listMessageMoveTasks,
  StartMessageMoveTask: moveTasks.startMessageMoveTask,
};

export async function perform(
  account: Account,
  name: string,
  input: Input,
  hungUp: AbortSignal,
): Promise<Output> {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) throw new SqsError('InvalidAction', `The action ${name} is not valid for this endpoint.`);
  return action(account, input as never, hungUp);
}
