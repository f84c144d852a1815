/** The SQL that an LQL text is compiled to, by the service. */
import { formatSql } from '../../../src/builder/sql/format-sql';
import type { ApiClient } from '../api/client';
import { Problem } from '../api/problem';
import type { RunRequest } from '../api/run-query';
import type { Validated } from '../api/shapes';

/** @throws Problem where the text is not right */
export async function lqlToSql(api: ApiClient, { query, parameters, adhoc }: RunRequest): Promise<string> {
  const body = { endpoint: query, lql: adhoc?.text ?? '', parameters };
  const { sql } = await api.result<Validated>('/api/endpoints/validate', { method: 'POST', body });
  if (sql === undefined) throw new Problem(0, { code: 'no_sql', message: 'The service gave no SQL for this text.' });
  return formatSql(sql) ?? sql;
}
