import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/** The outbox: a mail's row with its timeline (`kind` EMAIL), and its small bodies (`kind` BODY#sha256). */
export class EmailTable extends Construct {
  readonly table: Table;
  readonly streamArn: string;
  readonly byCompanyArn: string;
  readonly worksetArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'outboxId', type: AttributeType.STRING },
      sortKey: { name: 'kind', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      // What a new on-demand table starts with: written down so that a later, warmer value is a plain diff.
      warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
      stream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'purgeAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.streamArn = this.table.tableStreamArn!;
    // Both indexes carry keys only, so that a change of state writes the table and nothing else.
    this.byCompanyArn = this.addIndex('byCompany', 'ownerKey', 'createdKey');
    this.worksetArn = this.addIndex('workset', 'worksetKey', 'worksetAt');
  }

  private addIndex(indexName: string, partitionKey: string, sortKey: string): string {
    this.table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    return `${this.table.tableArn}/index/${indexName}`;
  }
}
