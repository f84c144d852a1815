/**
 * The order of test files: those that take long begin first, so that none of them runs alone at the end while the other processors wait.
 * Those that mostly wait stand beside the attacks, which need the processors: an engine gives way to everything else on the machine.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

/** Project and file: what takes ten seconds or more. */
const FIRST = [
  'conformance-clickhouse tests/conformance-both/same-redaction.test.ts',
  'integration tests/integration/attacks/attacks.test.ts',
  'integration tests/integration/shared/catalog.test.ts',
  'integration tests/integration/attacks/attacks-clickhouse.test.ts',
  'integration tests/integration/shared/results.test.ts',
  'integration tests/integration/attacks/ingest.test.ts',
  'integration tests/integration/quickstart.test.ts',
  'integration tests/integration/demo.test.ts',
  'integration tests/integration/stores/clickhouse-faults.test.ts',
  'integration tests/integration/import.test.ts',
  'integration tests/integration/stores/kills.test.ts',
  'conformance-clickhouse tests/conformance/tenants.test.ts',
  'integration tests/integration/shared/one-store.test.ts',
  'conformance tests/conformance/redaction/source.test.ts',
  'integration tests/integration/stores/clickhouse-two-servers.test.ts',
  'backend-host tests/backend/plugin/package/package.test.ts',
  'backend-host tests/backend/plugin/provisioning.test.ts',
  'backend-host tests/backend/plugin/protocol.test.ts',
  'conformance tests/conformance/tenants.test.ts',
  'conformance tests/conformance/plan-cache.test.ts',
  'conformance-clickhouse tests/conformance-both/same-rows.test.ts',
  'conformance tests/conformance/lql/cases.test.ts',
  'conformance-clickhouse tests/conformance/lql/cases.test.ts',
  'integration tests/integration/http/request-bodies.test.ts',
  'integration tests/integration/stores/recovery.test.ts',
  'integration tests/integration/http/files-at-rest.test.ts',
  'integration tests/integration/stores/clickhouse-real-faults.test.ts',
  'integration tests/integration/http/connections.test.ts',
  'integration tests/integration/http/start-and-stop.test.ts',
  'backend-host tests/backend/plugin/failures.test.ts',
  'integration tests/integration/engine/limits.test.ts',
  'conformance tests/conformance/redaction/attacks.test.ts',
  'conformance-clickhouse tests/conformance/redaction/attacks.test.ts',
  'conformance tests/conformance/lql/properties.test.ts',
  'conformance-clickhouse tests/conformance/lql/properties.test.ts',
  'conformance-clickhouse tests/conformance/functions.test.ts',
  'plugin src/components/QueryEditor/QueryEditor.test.tsx',
  'unit tests/unit/builder/round-trip.test.ts',
  'unit tests/unit/redaction/texts.test.ts',
  'unit tests/unit/compiler/lql/round-trip.test.ts',
  'unit tests/unit/builder/compiles.test.ts',
  'unit tests/unit/compiler/sql/canonical-properties.test.ts',
  'plugin src/components/ConfigEditor/ConfigEditor.test.tsx',
  'unit tests/unit/http/request-cache.test.ts',
  'unit tests/unit/compiler/sql/parser-properties.test.ts',
  'unit tests/unit/sample-data/sample-logs.test.ts',
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
