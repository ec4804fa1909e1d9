import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/count-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores are what CI has; the integration tests start servers of their own.
    maxWorkers: 2,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
});
