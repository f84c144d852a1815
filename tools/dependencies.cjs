/**
 * Import rules of all code that runs in production. Read a rule as: files of `from` must not import files of `to`.
 * `npm run deps` checks them. Type-only imports count, except where a rule leaves them out.
 */
/** @param {string[]} names */
const folder = (...names) => `^server/(${names.join('|')})/`;
/** @param {string[]} names */
const backend = (...names) => `^backend/(${names.join('|')})/`;
const WHOLE = '^(compiler|contract|server|backend|src|console)/';

/**
 * Files of `from` may import themselves and the listed places, and nothing else of the project.
 *
 * @param {string} name
 * @param {string} from
 * @param {readonly string[]} allowed
 * @param {string} comment
 */
const mayOnlyReach = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: WHOLE, pathNot: [from, ...allowed] },
});

/** The compiler's entry points; tests and benchmarks may look inside. */
const COMPILER = '^compiler/(index|store)\\.ts$';
const COMPILER_STORE = '^compiler/store\\.ts$';
const COMPILER_TIME = '^compiler/time/parse-iso\\.ts$';
const COMPILER_BROWSER = '^compiler/browser\\.ts$';

const ENGINE_CLIENT = '^server/engine/client/engine-client\\.ts$';
const ENGINE_MESSAGES = '^server/engine/protocol/messages\\.ts$';

/** Commands of an operator on the stores themselves: nothing of a caller is in their process. */
const STORE_COMMANDS = '^server/cli/(store|copy|backup|restore)/';
/** Reads names in SQL of an operator, with the lexer; it compiles and runs nothing. */
const IMPORT_OF_QUERIES = '^server/cli/endpoints/import/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Values that import each other in a cycle depend on the order of loading.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-types',
      comment:
        'Files whose types need each other are understood only together. An expression holds queries and a query expressions.',
      severity: 'error',
      from: { pathNot: '^compiler/(ast|ir)/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-of-folders',
      comment: 'Folders of a store, of printers and of passes build on one another in one direction.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(server/stores|compiler/print|compiler/ir/passes)/' },
      to: { circular: true },
    },
    mayOnlyReach(
      'contract-is-the-bottom',
      '^contract/',
      [],
      'The contract is what processes share; it knows none of them.'
    ),
    mayOnlyReach(
      'browser-meets-the-server-on-the-wire',
      '^src/',
      ['^contract/', COMPILER_BROWSER],
      'The browser part shares shapes with the other processes, and of the code only the readers of texts.'
    ),
    mayOnlyReach(
      'console-is-a-client',
      '^console/',
      ['^contract/', COMPILER_BROWSER, '^src/(language|builder)/', folder('cli/sample-data')],
      'The console uses the public HTTP API; it shares shapes, lexers, how the data source reads and prints texts, sample logs.'
    ),
    mayOnlyReach(
      'compiler-is-pure',
      '^compiler/',
      ['^contract/'],
      'Text in, CompiledQuery out: no store, no HTTP, no engine.'
    ),
    {
      name: 'compiler-touches-nothing-outside',
      comment: 'No I/O, no clock, no process in the compiler.',
      severity: 'error',
      from: { path: '^compiler/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(assert|util)$' },
    },
    {
      name: 'browser-entry-point-is-for-browsers',
      comment: 'What it exports works without packages and without Node.',
      severity: 'error',
      from: {
        path: '^compiler/(browser\\.ts$|template/|sql/lexer/|lql/parser/(read-(head|operator|path|words)|reader)\\.ts$)',
      },
      to: { dependencyTypes: ['npm', 'core'] },
    },
    {
      name: 'compiler-has-entry-points',
      comment: 'What others need of the compiler is exported by an entry point that package.json names.',
      severity: 'error',
      from: { path: WHOLE, pathNot: '^compiler/' },
      to: { path: '^compiler/', pathNot: [COMPILER, COMPILER_TIME, COMPILER_BROWSER] },
    },
    mayOnlyReach(
      'stores-know-the-compiled-query',
      folder('stores'),
      [
        '^contract/',
        folder('common/json'),
        COMPILER_STORE,
        '^server/common/(caught-error|files/private-folder|scheduling/serial-queue)\\.ts$',
      ],
      'A store runs compiled queries and describes its catalog to the compiler; it never compiles.'
    ),
    mayOnlyReach(
      'query-is-a-straight-line',
      folder('engine/query'),
      ['^contract/', COMPILER, folder('engine/redaction'), '^server/stores/store(-value)?\\.ts$'],
      'The pipeline takes the store as an interface and knows nothing of HTTP.'
    ),
    mayOnlyReach(
      'redaction-knows-results',
      folder('engine/redaction'),
      ['^contract/', '^server/stores/store(-value)?\\.ts$', COMPILER],
      'Redaction knows results and the shape in which the compiler takes its patterns.'
    ),
    mayOnlyReach(
      'cache-knows-keys-and-results',
      folder('cache'),
      ['^contract/', '^server/common/(caught-error|clock)\\.ts$'],
      'Runs come in as functions; nothing of HTTP, tokens, engine or stores.'
    ),
    mayOnlyReach(
      'catalog-holds-tokens-and-texts',
      folder('catalog/database'),
      [
        '^contract/',
        folder('catalog/tokens', 'catalog/definitions', 'catalog/audit', 'catalog/revisions', 'catalog/sources'),
        '^server/common/(caught-error|clock)\\.ts$',
      ],
      'What servers share of tokens and definitions; who serves them comes in as a function.'
    ),
    mayOnlyReach(
      'revisions-are-of-any-kind',
      folder('catalog/revisions'),
      ['^contract/', folder('catalog/definitions', 'catalog/audit'), '^server/common/caught-error\\.ts$'],
      'The history of texts: what they define, and who serves it, comes in as an argument.'
    ),
    mayOnlyReach(
      'saved-queries-and-sources-are-revisions',
      folder('catalog/saved-queries', 'catalog/sources'),
      [
        '^contract/',
        folder('catalog/definitions', 'catalog/revisions'),
        '^server/common/scheduling/serial-queue\\.ts$',
      ],
      'Changes of definitions; the compiler, the store, the tokens and who serves come in as functions.'
    ),
    mayOnlyReach(
      'json-stands-alone',
      folder('common/json'),
      [],
      'Text in, values out: the grammar is shared by all who read events.'
    ),
    mayOnlyReach(
      'event-formats-are-pure',
      folder('ingest/formats'),
      ['^contract/', folder('common/json', 'ingest/syslog/parse')],
      'Bytes of a shipper in, entries by source out: no store, no HTTP, no clock.'
    ),
    mayOnlyReach(
      'syslog-grammar-is-pure',
      folder('ingest/syslog/parse'),
      [],
      'Text in, fields out: no store, no sockets, no clock.'
    ),
    mayOnlyReach(
      'syslog-is-not-http',
      folder('ingest/syslog'),
      [
        '^contract/',
        folder('catalog/definitions', 'common/json', 'ingest/formats'),
        '^server/admission/peer-address\\.ts$',
        '^server/app/context\\.ts$',
        '^server/common/(caught-error|issue-reason|scheduling/(fifo|round-robin))\\.ts$',
        '^server/http/bodies/body-budget\\.ts$',
        '^server/monitoring/repeated-warning\\.ts$',
      ],
      'Messages in, entries to the engine: permits and memory come with the context.'
    ),
    mayOnlyReach(
      'ingest-knows-slices',
      '^server/ingest/[^/]+\\.ts$',
      ['^contract/', folder('ingest/formats')],
      'Bodies are identified and stored slice by slice; the store comes in as a function.'
    ),
    mayOnlyReach(
      'activity-counts',
      folder('monitoring/activity'),
      ['^contract/', folder('cache'), '^server/common/clock\\.ts$'],
      'Facts about calls and events come in as arguments.'
    ),
    mayOnlyReach(
      'admission-is-not-http',
      folder('admission'),
      [
        '^contract/',
        folder('cache', 'catalog/tokens'),
        ENGINE_CLIENT,
        '^server/(common/(caught-error|clock)|config)\\.ts$',
      ],
      'Rates, permits and memory are counted for runs; a route asks for them.'
    ),
    mayOnlyReach(
      'control-is-a-protocol',
      folder('app/control'),
      ['^contract/'],
      'Lines in, replies out; the requests are served by a function that comes in.'
    ),
    mayOnlyReach(
      'sample-data-stands-alone',
      folder('cli/sample-data'),
      [],
      'Sample logs are made of rules and a seed, in the console too.'
    ),
    {
      name: 'engine-is-not-a-server',
      comment: 'The engine process serves a pipe; HTTP, tokens and the command line are the server’s.',
      severity: 'error',
      from: { path: folder('engine') },
      to: { path: ['^server/(app|admission|http|catalog/tokens|cli)/', '^server/(main|config)\\.ts$'] },
    },
    {
      name: 'engine-is-reached-through-its-client',
      comment:
        'The server and the engine are two processes; only the client, the messages and the envelope of a result are for both.',
      severity: 'error',
      from: { path: '^server/', pathNot: folder('engine') },
      to: {
        path: folder('engine'),
        pathNot: [ENGINE_CLIENT, ENGINE_MESSAGES, '^server/engine/query/encode/json/json\\.ts$'],
      },
    },
    {
      name: 'engine-process-meets-its-client-on-the-pipe',
      comment: 'They share the messages.',
      severity: 'error',
      from: { path: folder('engine/(process|protocol|query|redaction)') },
      to: { path: folder('engine/client') },
    },
    {
      name: 'server-never-compiles-or-stores',
      comment:
        'Caller text is compiled and run in the engine process, never in the one that holds tokens and connections. It may read times and encode.',
      severity: 'error',
      from: {
        path: [
          '^server/(app|admission|http|catalog|common|cli|engine/client|ingest|monitoring)/',
          '^server/[^/]+\\.ts$',
        ],
        pathNot: [STORE_COMMANDS, IMPORT_OF_QUERIES],
      },
      to: {
        path: ['^compiler/', '^server/(stores|engine/(process|query(?!/encode)|redaction))/'],
        pathNot: COMPILER_TIME,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'import-of-queries-reads-tokens',
      comment: 'The entry point for browsers has the lexer and no compiler.',
      severity: 'error',
      from: { path: IMPORT_OF_QUERIES },
      to: { path: ['^compiler/', '^server/(stores|engine)/'], pathNot: COMPILER_BROWSER },
    },
    {
      name: 'concrete-stores-are-named-once',
      comment: 'All else takes the LogStore interface.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/engine/process/context\\.ts$', '^server/stores/', STORE_COMMANDS] },
      to: { path: '^server/stores/[^/]+/' },
    },
    {
      name: 'context-is-passed-not-imported',
      comment: 'Live things come as arguments.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(main|app/create-context|engine/process/main)\\.ts$' },
      to: { path: '^server/(app/(create-)?|engine/process/)context\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'development-packages-stay-out',
      comment: 'What runs must be installed by `npm ci --omit=dev`.',
      severity: 'error',
      from: { path: '^(compiler|server|contract)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'backend-and-server-meet-on-the-wire',
      severity: 'error',
      from: { path: '^backend/' },
      to: { path: '^(server|src)/' },
    },
    mayOnlyReach(
      'service-client-knows-http',
      backend('service-client'),
      ['^contract/', backend('proto')],
      'Settings in, answers out.'
    ),
    mayOnlyReach(
      'frames-know-results',
      backend('frames'),
      ['^contract/', '^backend/service-client/failures/plugin-error\\.ts$'],
      'Columns in, bytes out.'
    ),
    mayOnlyReach(
      'plugin-protocol-starts-and-stops',
      backend('plugin-protocol'),
      [backend('proto')],
      'The same for any plugin.'
    ),
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\.proto$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^build/', '[.][cm]js$'] },
    tsPreCompilationDeps: true,
    webpackConfig: { fileName: 'tools/own-imports.cjs' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
