/**
 * The order of test files. Those that take long begin first, so that none of them runs alone at the end, while the other processors
 * wait. How long a file took is known where it ran before; elsewhere, as in a fresh clone, this list stands for it.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

/** Project and file, the slowest first: those that took more than ten seconds. */
const SLOW = [
  'integration tests/integration/attacks/attacks-clickhouse.test.ts',
  'integration tests/integration/attacks/attacks.test.ts',
  'integration tests/integration/shared/results.test.ts',
  'integration tests/integration/shared/catalog.test.ts',
  'conformance tests/conformance/redaction/attacks.test.ts',
  'conformance-clickhouse tests/conformance/redaction/attacks.test.ts',
  'conformance-clickhouse tests/conformance-both/same-redaction.test.ts',
  'conformance tests/conformance/lql/properties.test.ts',
  'conformance-clickhouse tests/conformance/lql/properties.test.ts',
  'integration tests/integration/quickstart.test.ts',
  'unit tests/unit/http/known-calls.test.ts',
  'conformance-clickhouse tests/conformance/functions.test.ts',
  'integration tests/integration/stores/clickhouse-faults.test.ts',
  'integration tests/integration/import.test.ts',
  'backend-host tests/backend/plugin/protocol.test.ts',
];

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const usual = super.sort(tests);
    return tests.some(({ duration }) => duration !== undefined) ? usual : usual.sort((a, b) => rankOf(a) - rankOf(b));
  }
};

function rankOf({ path, context: { config } }) {
  const place = SLOW.findIndex((name) => {
    const [project, file] = name.split(' ');
    return config.displayName.name === project && path.replaceAll('\\', '/').endsWith(`/${file}`);
  });
  return place === -1 ? SLOW.length : place;
}
