/** Conditions on fields of nested records. */
import { printName } from './print-text';
import type { ResultType } from './read-type';

/** Prefix of the aliases of nested records; unlikely in a text that a person writes. */
const RECORD = 'filtered_record_';

/** A field below a value, with the type of what it is read from: undefined means a list of records. */
export interface FieldStep {
  readonly name: string;
  readonly parent?: ResultType;
}

/**
 * @param root expression of the column
 * @param compare condition on the field itself
 * @param isList whether the field is a list, of which one element has to fulfill the condition
 * @returns a condition that holds when it holds for some record of every list on the path
 */
export function nestedCondition(
  root: string,
  steps: readonly FieldStep[],
  compare: (field: string) => string,
  isList = false
): string {
  const records: string[] = [];
  const open = (list: string): string => {
    const alias = `${RECORD}${records.length}`;
    records.push(`unnest(${list}) as ${alias}`);
    return alias;
  };
  const field = steps.reduce(
    (from, { name, parent }) => `${parent?.kind === 'struct' ? from : open(from)}.${printName(name)}`,
    root
  );
  const condition = compare(isList ? open(field) : field);
  return records.length === 0 ? condition : `exists(select 1 from ${records.join(' cross join ')} where ${condition})`;
}
