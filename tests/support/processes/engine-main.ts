/**
 * An engine process whose store is `stores/commands.ts` and whose compiler takes ad-hoc text as it is: for tests of
 * what happens between the server and its engine. `spin 500` holds the engine's thread while it is compiled.
 */
import { Socket } from 'node:net';
import { ServiceError } from '#contract/errors';
import type { CompileRequest } from '#compiler/compile';
import type { CompiledQuery, OutputColumn } from '#compiler/output/compiled-query';
import type { Compiler } from '#server/engine/process/context';
import { serveEngine } from '#server/engine/process/serve';
import { openTestStore } from '../stores/commands';

const COLUMNS: readonly OutputColumn[] = [
  { name: 'n', type: { kind: 'INT64' }, typeName: 'INT64' },
  { name: 'text', type: { kind: 'STRING' }, typeName: 'STRING' },
];

const compiler: Compiler = {
  compile: ({ adhoc, definition, maxRows }: CompileRequest) => {
    const sql = adhoc?.text ?? definition.query;
    if (sql.startsWith('spin ')) spin(Number(sql.slice('spin '.length)));
    return { sql, values: [], columns: COLUMNS, maxRows, warnings: [] } as unknown as CompiledQuery;
  },
  validateDefinition: (definition) => {
    if (definition.query === 'broken') throw new ServiceError('definition_invalid', 'The query is broken.');
    return { canonical: definition.query, fields: [], parameters: [], tables: [] };
  },
  validateAdhoc: ({ adhoc }) => ({ canonical: adhoc?.text ?? '', fields: [], parameters: [], tables: [] }),
  describe: () => ({ fields: [], tables: [], sources: [] }),
};

function spin(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}

serveEngine(new Socket({ fd: 3, readable: true, writable: true }), {
  openStore: ({ dataDir }) => openTestStore(dataDir),
  compiler,
});
