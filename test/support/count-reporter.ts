// The last line of a test run, alone and in words: how many passed, failed and were skipped.
import type { Reporter, TestModule } from 'vitest/node';

export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((each) => each === state).length;
    // A file that does not load, and an error outside every test, are failures without a test of their own.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const failed = count('failed') + broken + errors.length;
    const skipped = count('skipped');
    console.log(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
