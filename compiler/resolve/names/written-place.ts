/** How a query writes a field of an event or an element of a list, for messages. */
import type { Expression } from '../../ast';
import { printField, printPath } from '../../sql/canonical/expressions/print-name';

/** Longest text of a place in a message. */
const MAX_LENGTH = 100;

/** `metadata[0].request`, also `m.steps[OFFSET(1)]`; null for other expressions, and for long ones. */
export function writtenPlace(expression: Expression): string | null {
  const text = written(expression);
  return text !== null && text.length <= MAX_LENGTH ? text : null;
}

function written(expression: Expression): string | null {
  switch (expression.kind) {
    case 'path':
      return printPath(expression.parts);
    case 'field': {
      const base = written(expression.base);
      return base && base + printField(expression.field);
    }
    case 'index': {
      const { base, index, mode } = expression;
      if (index.kind !== 'literal' || index.literal.type !== 'integer') return null;
      const { digits } = index.literal;
      const text = written(base);
      return text && `${text}[${mode === 'plain' ? digits : `${mode.toUpperCase()}(${digits})`}]`;
    }
    default:
      return null;
  }
}
