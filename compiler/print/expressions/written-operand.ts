/** Operands as the text writes them, for messages: what a caller wrote may be shown, values of events may not. */
import type { Expression } from '../../ast';

type Parameters = Readonly<Record<string, string | null>>;

/** Longest value in a message. */
const MAX_SHOWN = 60;
const MAX_MESSAGE_LENGTH = 500;

/**
 * The value that an operation has been given, if it is a parameter, or a literal.
 * @param showsLiterals whether the text is the caller's
 */
export function writtenOperand(
  expression: Expression | undefined,
  parameters: Parameters,
  showsLiterals: boolean
): string | undefined {
  const operand = expression && operandOf(expression);
  if (operand === undefined || (operand.kind !== 'parameter' && !showsLiterals)) return undefined;
  const text = textOf(operand, parameters);
  if (text === undefined || (operand.kind !== 'parameter' && isNumber(operand))) return text;
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text);
}

/** The message of a call of ERROR, if it is a literal or a parameter. */
export function writtenMessage(expression: Expression | undefined, parameters: Parameters): string | undefined {
  const [text] = expression?.kind === 'call' && expression.name === 'ERROR' ? expression.args : [];
  return text && textOf(text, parameters)?.slice(0, MAX_MESSAGE_LENGTH);
}

function operandOf(expression: Expression): Expression | undefined {
  switch (expression.kind) {
    case 'cast':
    case 'unary':
      return expression.operand;
    case 'call':
      // The first argument of the others is the format.
      if (expression.name.startsWith('PARSE_') && expression.name !== 'PARSE_JSON') return expression.args[1];
      return expression.args.length === 1 ? expression.args[0] : undefined;
    default:
      return undefined;
  }
}

function textOf(operand: Expression, parameters: Parameters): string | undefined {
  switch (operand.kind) {
    case 'parameter':
      return parameters[operand.name] ?? undefined;
    case 'typed-literal':
      return operand.text;
    case 'unary': {
      const number = operand.operator === '-' && isNumber(operand.operand) ? textOf(operand.operand, parameters) : null;
      return number === null ? undefined : `-${number}`;
    }
    case 'literal': {
      const { literal } = operand;
      if (literal.type === 'string') return literal.value;
      if (literal.type === 'integer') return literal.digits;
      return literal.type === 'float' ? String(literal.value) : undefined;
    }
    default:
      return undefined;
  }
}

function isNumber(operand: Expression): boolean {
  if (operand.kind === 'unary') return isNumber(operand.operand);
  return operand.kind === 'literal' && (operand.literal.type === 'integer' || operand.literal.type === 'float');
}
