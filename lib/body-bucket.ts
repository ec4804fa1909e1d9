import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

/** `sendAt` lies at most 30 days ahead, a mail expires a day later, and its body outlives that by 15 days. */
const BODY_LIFE = Duration.days(30 + 1 + 15);

/** Bodies too large for an item of the EmailTable. */
export class BodyBucket extends Construct {
  readonly bucket: Bucket;
  readonly objectArns: string;
  /** `objectArns` as cdk-nag prints it. */
  readonly objectArnsFinding: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [{ expiration: BODY_LIFE, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.objectArns = this.bucket.arnForObjects('*');
    this.objectArnsFinding = `<${Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket)}.Arn>/*`;
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the api and the sender have access, and each mail has its timeline; access logs would need a bucket of their own.',
    });
  }
}
