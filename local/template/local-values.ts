import { LOCAL_ACCOUNT, LOCAL_REGION, type Resource } from './cloudformation.ts';
import type { ResourceValues } from './intrinsics.ts';

function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${resource}`;
}

/**
 * Names derive from logical ids, so a restart finds the same table, queue and bucket again.
 * Whatever is known only at run time is added by `Stack.learn`.
 */
export function localValues(id: string, { Type, Properties = {} }: Resource): ResourceValues {
  const named = (property: string, fallback: string) => {
    const given = Properties[property];
    return typeof given === 'string' ? given : fallback;
  };
  switch (Type) {
    case 'AWS::DynamoDB::Table':
    case 'AWS::DynamoDB::GlobalTable': {
      // The AWS CLI refuses the shard ids of tables with shorter names than 11 characters.
      const name = named('TableName', id).padEnd(11, '-');
      return { ref: name, attributes: { Arn: arn('dynamodb', `table/${name}`) } };
    }
    case 'AWS::SQS::Queue': {
      const suffix = Properties['FifoQueue'] === true ? '.fifo' : '';
      const name = named('QueueName', `${id}${suffix}`);
      return { ref: name, attributes: { Arn: arn('sqs', name), QueueName: name } };
    }
    case 'AWS::S3::Bucket': {
      const name = named('BucketName', id.toLowerCase());
      return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } };
    }
    case 'AWS::Lambda::Function': {
      const name = named('FunctionName', id);
      return { ref: name, attributes: { Arn: arn('lambda', `function:${name}`) } };
    }
    case 'AWS::SES::ConfigurationSet':
      return { ref: named('Name', id), attributes: {} };
    case 'AWS::Events::Rule':
      return { ref: id, attributes: { Arn: arn('events', `rule/${id}`) } };
    case 'AWS::KMS::Key':
      return { ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
    case 'AWS::SNS::Topic':
      return { ref: arn('sns', id), attributes: { TopicArn: arn('sns', id), TopicName: id } };
    case 'AWS::Logs::LogGroup':
      return { ref: named('LogGroupName', id), attributes: { Arn: arn('logs', `log-group:${id}:*`) } };
    case 'AWS::IAM::Role':
      return { ref: id, attributes: { Arn: `arn:aws:iam::${LOCAL_ACCOUNT}:role/${id}`, RoleId: id } };
    default:
      return { ref: id, attributes: {} };
  }
}
