import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one plain line that anything can read: `N passed, N failed`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.ok()) passed += 1;
        else failed += 1;
      }
      // A file that does not even load has no tests to count.
      if (!module.ok() && [...module.children.allTests()].every((test) => test.ok())) failed += 1;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
