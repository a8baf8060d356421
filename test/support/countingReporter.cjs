// Mocha's spec reporter that also leaves the counts for scripts/test.mjs, in the file REACT_AGENT_TEST_COUNTS.
const { appendFileSync } = require('node:fs');
const Mocha = require('mocha');

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // a test that needed a second try passes, but not in silence
    runner.on('retry', (test, error) => {
      Mocha.reporters.Base.consoleLog(`      ↻ tried again: ${test.fullTitle()} (${error?.message ?? error})`);
    });
    runner.once('end', () => {
      const file = process.env.REACT_AGENT_TEST_COUNTS;
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      if (file) appendFileSync(file, `${JSON.stringify({ passed, failed, skipped })}\n`);
    });
  }
}

module.exports = CountingReporter;
