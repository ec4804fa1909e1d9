/** Errors of the SQS model whose name in the older query protocol, or whose HTTP status, is a different one. */
const MODELLED: Record<string, { queryCode?: string; status?: number }> = {
  BatchEntryIdsNotDistinct: { queryCode: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct' },
  BatchRequestTooLong: { queryCode: 'AWS.SimpleQueueService.BatchRequestTooLong' },
  EmptyBatchRequest: { queryCode: 'AWS.SimpleQueueService.EmptyBatchRequest' },
  InvalidAddress: { status: 404 },
  InvalidBatchEntryId: { queryCode: 'AWS.SimpleQueueService.InvalidBatchEntryId' },
  MessageNotInflight: { queryCode: 'AWS.SimpleQueueService.MessageNotInflight' },
  PurgeQueueInProgress: { queryCode: 'AWS.SimpleQueueService.PurgeQueueInProgress', status: 403 },
  QueueDoesNotExist: { queryCode: 'AWS.SimpleQueueService.NonExistentQueue' },
  QueueNameExists: { queryCode: 'QueueAlreadyExists' },
  ReceiptHandleIsInvalid: { status: 404 },
  ResourceNotFoundException: { status: 404 },
  TooManyEntriesInBatchRequest: { queryCode: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest' },
  UnsupportedOperation: { queryCode: 'AWS.SimpleQueueService.UnsupportedOperation' },
  InvalidParameterValueException: { queryCode: 'InvalidParameterValue' },
  MissingRequiredParameterException: { queryCode: 'MissingParameter' },
  InternalFailure: { status: 500 },
};

/** A refusal as SQS words it; `type` is the name in the JSON protocol. */
export class SqsError extends Error {
  readonly status: number;
  readonly queryCode: string;

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
    const modelled = MODELLED[type];
    this.status = modelled?.status ?? 400;
    this.queryCode = modelled?.queryCode ?? type;
  }

  get senderFault(): boolean {
    return this.status < 500;
  }
}

export function invalidParameter(message: string): SqsError {
  return new SqsError('InvalidParameterValueException', message);
}

export function invalidValue(parameter: string, value: unknown, reason: string): SqsError {
  return invalidParameter(`Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`);
}

export function missingParameter(parameter: string): SqsError {
  return new SqsError(
    'MissingRequiredParameterException',
    `The request must contain the parameter ${parameter}.`,
  );
}

export function noSuchQueue(): SqsError {
  return new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
}

export function noSuchResource(parameter: string): SqsError {
  return new SqsError(
    'ResourceNotFoundException',
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
  );
}
