/** Keys that come again are not printed: stores sort by each of them. */
import { FROM, sqlOf } from './printed-sql';

it.each([
  ['ORDER BY', `select n from ${FROM} order by ms, n, ms desc, 1`, `select n from ${FROM} order by ms, n`],
  [
    'ORDER BY of a set',
    `(select ms, n from ${FROM}) union all (select cost, n from ${FROM}) order by ms, n, 1, n desc`,
    `(select ms, n from ${FROM}) union all (select cost, n from ${FROM}) order by ms, n`,
  ],
  [
    'a window',
    `select row_number() over (partition by ms, n, ms order by n, n desc) as r from ${FROM}`,
    `select row_number() over (partition by ms, n order by n) as r from ${FROM}`,
  ],
  [
    'an aggregate',
    `select string_agg(event_message order by n, n desc) as r from ${FROM}`,
    `select string_agg(event_message order by n) as r from ${FROM}`,
  ],
])('%s has each key once', (_, repeated, once) => expect(sqlOf(repeated, 'INT64')).toEqual(sqlOf(once, 'INT64')));
