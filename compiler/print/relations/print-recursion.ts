/**
 * Prints a recursive WITH query with a number of its steps, which bounds them. Stores know UNION ALL only, or do not
 * end: the steps of UNION DISTINCT each give all rows so far and stop when they are not more than before. A step may
 * read all rows instead of the new ones, since it reads the query once and neither groups nor orders its rows.
 */
import type { RelationDialect } from '../dialect/relation-dialect';

export interface RecursionText {
  readonly name: string;
  /** Name that the text of the step reads. */
  readonly self: string;
  readonly isDistinct: boolean;
  readonly columns: readonly string[];
  readonly base: string;
  readonly step: string;
}

const STEP = 'step';

export function printRecursion(dialect: RelationDialect, text: RecursionText): string {
  const quote = (name: string): string => dialect.quoteIdentifier(name);
  const [name, self, step] = [quote(text.name), quote(text.self), quote(STEP)];
  const columns = (alias: string): string =>
    text.columns.map((column) => `${alias}.${quote(column)} AS ${quote(column)}, `).join('');
  const next = dialect.nextStep(`w.${step}`);
  if (!text.isDistinct) {
    const first = `SELECT ${columns('b')}${dialect.firstStep} AS ${step} FROM (${text.base}) AS b`;
    const later = `SELECT ${columns('b')}s.${step} AS ${step} FROM (${text.step}) AS b CROSS JOIN (SELECT ${next} AS ${step} FROM ${self} AS w) AS s`;
    return `${name} AS (${first} UNION ALL ${later})`;
  }
  const list = (alias: string): string => columns(alias).slice(0, -2);
  const first = `SELECT DISTINCT ${columns('b')}${dialect.firstStep} AS ${step} FROM (${text.base}) AS b`;
  const all = `SELECT DISTINCT ${list('u')} FROM ((SELECT ${list('w')} FROM ${self} AS w) UNION ALL (${text.step})) AS u`;
  const counted = `SELECT ${columns('q')}count(*) OVER () AS "total" FROM (${all}) AS q`;
  const before = `SELECT count(*) AS "had", ${next} AS ${step} FROM ${self} AS w`;
  const later = `SELECT ${columns('n')}s.${step} AS ${step} FROM (${counted}) AS n CROSS JOIN (${before}) AS s WHERE n."total" > s."had"`;
  return `${self} AS (${first} UNION ALL ${later}), ${name} AS (SELECT DISTINCT ${list('w')} FROM ${self} AS w)`;
}
