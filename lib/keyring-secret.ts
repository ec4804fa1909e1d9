import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * A JSON object from key version to root secret, from which all keyed hashes are derived. An operator adds
 * a version by hand. Changing `generateSecretString` would make CloudFormation overwrite every version.
 */
export class KeyringSecret extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Email Gateway keyring: key version -> root secret',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: '1',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'API keys and identities are stored as hashes under these keys: a version is added, never replaced.',
    });
  }
}
