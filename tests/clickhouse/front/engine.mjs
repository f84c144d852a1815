/** The engine. Each statement has a session of its own, so that nothing of one (settings, parameters, a broken answer) reaches another. */
import chdb from 'chdb';

/** @typedef {{ sql: string, id: string, database: string | null, settings: Record<string, string>, parameters: Record<string, string>, format: string, data?: Buffer }} Statement */

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

  return {
    /** Reads: hands out parts of the answer as they come. */
    async read(statement, onChunk) {
      running.set(statement.id, statement);
      try {
        await withSession(statement, async (session) => {
          const stream = session.queryStream(statement.sql, { format: statement.format });
          for await (const chunk of stream) await onChunk(Buffer.from(chunk.raw()));
        });
      } finally {
        running.delete(statement.id);
      }
    },
    /** Anything else. @returns {Promise<Buffer>} */
    run: (statement) =>
      withSession(statement, async (session) => {
        const { sql, format, data } = statement;
        if (data?.length > 0) {
          await session.insert(insertParameters(sql, data));
          return Buffer.alloc(0);
        }
        return Buffer.from((await session.queryAsync(sql, { format })).bytes());
      }),
    async kill(id) {
      if (!running.has(id)) return;
      const found = await keeper.queryAsync(
        `SELECT query_id FROM system.processes WHERE Settings['log_comment'] = ${quoteText(mark(id))}`,
        { format: 'TabSeparated' }
      );
      for (const engineId of found.text().split('\n').filter(Boolean)) {
        await keeper.queryAsync(`KILL QUERY WHERE query_id = ${quoteText(engineId)} ASYNC`, { format: 'Null' });
      }
    },
  };
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
