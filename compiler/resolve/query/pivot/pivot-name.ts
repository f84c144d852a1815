/** Names of the columns of PIVOT, made of its values as GoogleSQL makes them. */
import type { Expression, PivotClause } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import { shortTypeName } from '../../../ir/types';
import { failure } from '../../failure';

/**
 * @param value converted to the type of the key
 * @param prefix name of the aggregate, or null
 * @throws wrong_arguments for a value that needs a name of its own
 */
export function pivotName(
  value: Expr,
  { expression, alias }: PivotClause['values'][number],
  prefix: string | null
): string {
  if (alias !== null) return prefix === null ? alias.name : `${prefix}_${alias.name}`;
  const hint = 'write IN (value AS name, ...)';
  if ((value.kind !== 'literal' && value.kind !== 'bound') || !isWrittenOut(expression)) {
    throw failure('wrong_arguments', 'a value of PIVOT that is computed needs a name', expression.position, { hint });
  }
  const own = nameOf(value.type.kind, value.kind === 'bound' ? value.value.value : value.value);
  if (own === undefined) {
    const message = `a value of PIVOT that is a ${shortTypeName(value.type)} needs a name`;
    throw failure('wrong_arguments', message, expression.position, { hint });
  }
  // GoogleSQL writes this name with an underscore of its own.
  if (prefix !== null) return own.isEmpty ? `${prefix}__${own.text}` : `${prefix}_${own.text}`;
  return own.isNumeric ? `_${own.text}` : own.text;
}

function isWrittenOut(written: Expression): boolean {
  if (written.kind === 'unary') return written.operator === '-' && isWrittenOut(written.operand);
  if (written.kind === 'cast') return isWrittenOut(written.operand);
  return written.kind === 'literal' || written.kind === 'typed-literal';
}

/** `isNumeric`: the text begins with a digit of a number or a date, so a name needs an underscore before it. */
interface ValueName {
  readonly text: string;
  readonly isNumeric: boolean;
  readonly isEmpty?: boolean;
}

function nameOf(type: string, value: string | bigint | number | boolean | null): ValueName | undefined {
  if (value === null) return { text: 'NULL', isNumeric: false };
  const text = String(value);
  switch (type) {
    case 'STRING':
      return text === '' ? { text: 'empty_string_value', isNumeric: false, isEmpty: true } : { text, isNumeric: false };
    case 'BOOL':
      return { text, isNumeric: false };
    case 'INT64':
      return text.startsWith('-') ? { text: `minus_${text.slice(1)}`, isNumeric: false } : { text, isNumeric: true };
    case 'DATE':
      return { text: dateText(value).replaceAll('-', '_'), isNumeric: true };
    default:
      return undefined;
  }
}

/** @param value days since 1970, or the text of a date */
function dateText(value: string | bigint | number | boolean): string {
  return typeof value === 'string' ? value : new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
}
