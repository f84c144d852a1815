/**
 * The order of test files: those that take long begin first, so that none of them runs alone at the end while the other processors wait.
 * Those that mostly wait stand beside the attacks, which need the processors: an engine gives way to everything else on the machine.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

/** Project and file: what takes ten seconds or more. */
const FIRST = [
  'integration tests/integration/attacks/ingest.test.ts',
  'integration tests/integration/attacks/attacks.test.ts',
  'integration tests/integration/shared/results.test.ts',
  'integration tests/integration/shared/catalog.test.ts',
  'integration tests/integration/attacks/attacks-clickhouse.test.ts',
  'integration tests/integration/quickstart.test.ts',
  'integration tests/integration/demo.test.ts',
  'integration tests/integration/stores/clickhouse-faults.test.ts',
  'integration tests/integration/import.test.ts',
  'integration tests/integration/stores/kills.test.ts',
  'integration tests/integration/http/connections.test.ts',
  'backend-host tests/backend/plugin/package/package.test.ts',
  'backend-host tests/backend/plugin/provisioning.test.ts',
  'backend-host tests/backend/plugin/protocol.test.ts',
  'conformance tests/conformance/redaction/attacks.test.ts',
  'conformance-clickhouse tests/conformance/redaction/attacks.test.ts',
  'conformance-clickhouse tests/conformance-both/same-redaction.test.ts',
  'conformance tests/conformance/lql/properties.test.ts',
  'conformance-clickhouse tests/conformance/lql/properties.test.ts',
  'conformance-clickhouse tests/conformance/functions.test.ts',
  'unit tests/unit/http/request-cache.test.ts',
];

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};

function rankOf({ path, context: { config } }) {
  const rank = FIRST.findIndex((name) => {
    const [project, file] = name.split(' ');
    return config.displayName.name === project && path.replaceAll('\\', '/').endsWith(`/${file}`);
  });
  return rank === -1 ? FIRST.length : rank;
}
