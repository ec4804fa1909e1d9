import { devNull } from 'node:os';
import { LOCAL_REGION } from '../template/cloudformation.ts';

/** Where each AWS service is served from on this machine. */
export interface Endpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly ses: string;
  readonly s3: string;
  readonly secrets: string;
}

/** The variables that Lambda itself sets, and the endpoints that the AWS SDK reads. */
export function lambdaEnvironment(
  lambda: { name: string; handler: string; memoryMb: number; assetDir: string },
  endpoints: Endpoints,
): Record<string, string> {
  return {
    AWS_REGION: LOCAL_REGION,
    AWS_DEFAULT_REGION: LOCAL_REGION,
    // Each function signs under its own name, as it would under its own role.
    AWS_ACCESS_KEY_ID: lambda.name,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs',
    AWS_LAMBDA_FUNCTION_NAME: lambda.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(lambda.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${lambda.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: lambda.assetDir,
    _HANDLER: lambda.handler,
    TZ: ':UTC',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_SESV2: endpoints.ses,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secrets,
    // The SDK would look in the developer's home directory otherwise.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}
