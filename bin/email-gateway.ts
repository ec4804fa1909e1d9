import { App } from 'aws-cdk-lib';
import { readConfig } from '../lib/config.ts';
import { EmailGatewayStack } from '../lib/email-gateway-stack.ts';

const app = new App();
const contextKeys = Object.keys(app.node.getAllContext() as object);
new EmailGatewayStack(
  app,
  readConfig((key) => app.node.tryGetContext(key), contextKeys),
);
