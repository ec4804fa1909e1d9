/** What the host and a worker say to each other. Events and results travel as JSON text, as on Lambda. */
export interface WorkerSettings {
  readonly handlerFile: string;
  readonly handlerName: string;
  /** A test's clock: how far ahead of real time this function lives. */
  readonly clockShift: SharedArrayBuffer | undefined;
}

export interface InvokeMessage {
  readonly event: string;
  readonly deadline: number;
  readonly context: {
    readonly awsRequestId: string;
    readonly functionName: string;
    readonly functionVersion: string;
    readonly invokedFunctionArn: string;
    readonly memoryLimitInMB: string;
    readonly logGroupName: string;
    readonly logStreamName: string;
  };
}

export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly payload: string | undefined }
  | { readonly type: 'error'; readonly error: FunctionError };
