import { Duration, Validations } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** What the two lanes and their dead-letter queue share. Senders give every message its own deduplication id. */
const FIFO = {
  fifo: true,
  contentBasedDeduplication: false,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
} as const;

/**
 * Two FIFO queues, so that bulk mail never takes the concurrency of express mail, and one dead-letter
 * queue behind both. It has no redrive allow policy: naming its sources there, while they name it, is a
 * circular dependency that CloudFormation refuses unless the queues have fixed names.
 */
export class MailQueues extends Construct {
  readonly express: Queue;
  readonly bulk: Queue;
  readonly deadLetter: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetter = new Queue(this, 'DeadLetter', { ...FIFO, retentionPeriod: Duration.days(7) });
    for (const rule of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy']) {
      Validations.of(this.deadLetter).acknowledge({ id: rule, reason: 'This is the dead-letter queue.' });
    }
    this.express = new MailQueue(this, 'Express', this.deadLetter);
    this.bulk = new MailQueue(this, 'Bulk', this.deadLetter);
  }
}

class MailQueue extends Queue {
  constructor(scope: Construct, id: string, deadLetter: Queue) {
    super(scope, id, {
      ...FIFO,
      // AWS asks for six times the timeout of the function that consumes the queue: the sender's 60 s.
      visibilityTimeout: Duration.seconds(360),
      // A mail lives 24 hours from when it is due; the rest is for a lane held over a long week-end.
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetter, maxReceiveCount: 5 },
    });
  }
}
