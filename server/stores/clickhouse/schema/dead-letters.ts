/**
 * Events that ClickHouse refused: kept in their own table, so that an operator can examine them and send them again.
 */
import type { Connection } from '../connection/connection';
import { quoteName } from '../connection/quoting';
import { DEAD_LETTERS_TABLE } from './statements';
import { timeText } from '../connection/time-text';

export interface DeadLetter {
  readonly source: string;
  readonly receivedMicros: number;
  /** Error code of ClickHouse. */
  readonly reason: string;
  readonly id: string;
  /** The row in the form of the insert. */
  readonly row: string;
}

export async function keepDeadLetters(
  connection: Connection,
  letters: readonly DeadLetter[],
  token: string
): Promise<void> {
  const lines = letters.map(({ source, receivedMicros, reason, id, row }) =>
    JSON.stringify({ source, received_at: timeText(receivedMicros), reason, id, row })
  );
  await connection.insert({
    table: DEAD_LETTERS_TABLE,
    columns: null,
    rows: [Buffer.from(`${lines.join('\n')}\n`)],
    token,
  });
}

/** Number of dead letters by source. */
export async function countDeadLetters(connection: Connection, database: string): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.rows({
    sql: `SELECT source, count() FROM ${quoteName(database)}.${quoteName(DEAD_LETTERS_TABLE)} GROUP BY source ORDER BY source`,
  });
  return new Map(rows.map(([source, count]) => [String(source), Number(count)]));
}
