/**
 * The engine. Each statement has a session of its own, so that nothing of one (settings, parameters, a broken answer)
 * reaches another.
 */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import chdb from 'chdb';

/**
 * @typedef {{
 *   sql: string,
 *   id: string,
 *   database: string | null,
 *   settings: Record<string, string>,
 *   parameters: Record<string, string>,
 *   format: string,
 *   data?: Buffer,
 * }} Statement
 */

export function openEngine(dataDir) {
  const open = () => new chdb.Session(dataDir);
  const keeper = open();
  const running = new Map();

  async function withSession({ id, settings, parameters, database }, task) {
    const session = open();
    try {
      const changes = [
        // The engine gives statements ids of its own, and rewrites the text of one with parameters.
        `log_comment = ${quoteText(mark(id))}`,
        ...Object.entries(parameters).map(([name, value]) => `param_${name} = ${quoteText(value)}`),
        ...Object.entries(settings).map(([name, value]) => `${name} = ${quoteText(value)}`),
      ];
      if (database) await session.queryAsync(`USE \`${database.replaceAll('`', '')}\``, { format: 'Null' });
      await session.queryAsync(`SET ${changes.join(', ')}`, { format: 'Null' });
      return await task(session);
    } finally {
      session.close();
    }
  }

  /** While the task lasts, its statement can be killed. */
  async function asRunning(statement, task) {
    running.set(statement.id, statement);
    try {
      return await withSession(statement, task);
    } finally {
      running.delete(statement.id);
    }
  }

  return {
    /** Reads: hands out parts of the answer as they come. */
    read: (statement, onChunk) =>
      asRunning(statement, async (session) => {
        const stream = session.queryStream(statement.sql, { format: statement.format });
        for await (const chunk of stream) await onChunk(Buffer.from(chunk.raw()));
      }),
    /**
     * Reads the whole answer. A stream begins on the thread of this process, and subqueries of one value run at that
     * time: no other request would be answered until it ends, not even one to kill the query.
     *
     * @returns {Promise<Buffer>}
     */
    readWhole: (statement) =>
      asRunning(statement, async (session) =>
        Buffer.from((await session.queryAsync(statement.sql, { format: statement.format })).bytes())
      ),
    /** Anything else. @returns {Promise<Buffer>} */
    run: (statement) =>
      withSession(statement, async (session) => {
        const { sql, format, data } = statement;
        if (data?.length > 0) {
          const insert = insertParameters(sql, data);
          if (insert.format === 'RowBinary') await insertFile(session, sql, data);
          else await session.insert(insert);
          return Buffer.alloc(0);
        }
        return Buffer.from((await session.queryAsync(sql, { format })).bytes());
      }),
    /** The statement may be on its way to the engine: it is looked for until it has ended. */
    async kill(id) {
      for (; running.has(id); await delay(50)) {
        const found = await keeper.queryAsync(
          `SELECT query_id FROM system.processes WHERE Settings['log_comment'] = ${quoteText(mark(id))}`,
          { format: 'TabSeparated' }
        );
        for (const engineId of found.text().split('\n').filter(Boolean)) {
          await keeper.queryAsync(`KILL QUERY WHERE query_id = ${quoteText(engineId)} ASYNC`, { format: 'Null' });
        }
      }
    },
  };
}

/** The engine takes binary rows from a file only. */
async function insertFile(session, sql, data) {
  const file = join(tmpdir(), `front-${randomUUID()}.rows`);
  await writeFile(file, data, { mode: 0o600 });
  try {
    await session.queryAsync(
      sql.replace(/\sFORMAT\s+RowBinary\s*$/i, ` FROM INFILE ${quoteText(file)} FORMAT RowBinary`),
      {
        format: 'Null',
      }
    );
  } finally {
    await rm(file, { force: true });
  }
}

function mark(id) {
  return `front ${id}`;
}

const INSERT =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([^\s(]+)\s*(?:\(([^)]*)\))?\s*(?:SETTINGS\s+(.*?)\s+)?FORMAT\s+(\w+)\s*$/is;

function insertParameters(sql, data) {
  const match = INSERT.exec(sql);
  if (match === null) throw new Error(`Code: 62. DB::Exception: the front cannot read this insert (SYNTAX_ERROR)`);
  const [, table, columns, , format] = match;
  const unquoted = (name) =>
    name
      .trim()
      .replace(/^[`"]|[`"]$/g, '')
      .replaceAll('``', '`');
  return {
    table: table.split('.').map(unquoted).join('.'),
    values: data,
    format,
    ...(columns && { columns: columns.split(',').map(unquoted) }),
  };
}

export function quoteText(text) {
  return `'${String(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
