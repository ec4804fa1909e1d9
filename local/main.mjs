import { unsupportedNode } from './node-version.mjs';

const unsupported = unsupportedNode(process.versions.node);
if (unsupported !== undefined) {
  console.error(unsupported);
  process.exit(1);
}
// What the AWS SDK has to say about Node is not news to whoever starts the gateway.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
// Loaded only now: an older Node would fail inside it, with a stack trace instead of a sentence.
const { register } = await import('tsx/esm/api');
register();
const { run } = await import('./cli.ts');
await run(process.argv.slice(2));
