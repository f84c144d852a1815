/** Prints expressions with the minimum of parentheses. */
import type {
  BinaryExpression,
  Expression,
  IndexExpression,
  InExpression,
  IsExpression,
  UnaryExpression,
} from '../../../ast/expressions';
import { BINARY_LEVELS, LEVEL } from '../../parser/expressions/precedence';
import { printBase } from './print-base';
import { printCall } from './print-call';
import { printLiteral, printString } from './print-literal';
import { printAlias, printField, printName, printPath } from './print-name';
import { printTypeName } from './print-type-name';
import type { CanonicalPrinter } from '../printer';

/** Operands of a comparison bind tighter, since comparisons do not chain. */
const BESIDE_COMPARISON = LEVEL.COMPARISON + 1;

export function printExpression(printer: CanonicalPrinter, expression: Expression, level: number = LEVEL.OR): string {
  const text = printBare(printer, expression);
  return levelOf(expression) < level ? `(${text})` : text;
}

function levelOf(expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return BINARY_LEVELS.get(expression.operator)?.level ?? LEVEL.COMPARISON;
    case 'unary':
      return expression.operator === 'NOT' ? LEVEL.NOT : LEVEL.UNARY;
    case 'is':
    case 'like':
    case 'between':
    case 'in':
      return LEVEL.COMPARISON;
    default:
      return LEVEL.PRIMARY;
  }
}

function printBare(printer: CanonicalPrinter, expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression);
    case 'typed-literal':
      return `${expression.type} ${printString(expression.text)}`;
    case 'interval':
      return `INTERVAL ${printer.expression(expression.amount, LEVEL.UNARY)} ${expression.unit.name}${expression.to === null ? '' : ` TO ${expression.to.name}`}`;
    case 'parameter':
      return `@${expression.name}`;
    case 'path':
      return printPath(expression.parts);
    case 'field':
      return `${printBase(printer, expression.base)}${printField(expression.field)}`;
    case 'index':
      return printIndex(printer, expression);
    case 'unary':
      return printUnary(printer, expression);
    case 'binary':
      return printBinary(printer, expression);
    case 'is':
      return printIs(printer, expression);
    case 'like':
      return printLike(printer, expression);
    case 'between':
      return printBetween(printer, expression);
    case 'in':
      return `${beside(printer, expression.operand)} ${not(expression.negated)}IN ${printChoices(printer, expression.choices)}`;
    case 'case':
      return printCase(printer, expression);
    case 'cast':
      return printCast(printer, expression);
    case 'extract':
      return printExtract(printer, expression);
    case 'call':
      return printCall(printer, expression);
    case 'with':
      return printWith(printer, expression);
    case 'lambda':
      return printLambda(printer, expression);
    case 'array':
      return `${expression.type === null ? '' : printTypeName(expression.type)}[${printList(printer, expression.items)}]`;
    case 'struct':
      return printStruct(printer, expression);
    case 'tuple':
      return `(${printList(printer, expression.items)})`;
    case 'subquery':
      return `(${printer.query(expression.query)})`;
    case 'exists':
      return `EXISTS(${printer.query(expression.query)})`;
    case 'array-subquery':
      return `ARRAY(${printer.query(expression.query)})`;
  }
}

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

function beside(printer: CanonicalPrinter, operand: Expression): string {
  return printer.expression(operand, BESIDE_COMPARISON);
}

function printList(printer: CanonicalPrinter, items: readonly Expression[]): string {
  return items.map((item) => printer.expression(item)).join(', ');
}

function printLike(printer: CanonicalPrinter, expression: Node<'like'>): string {
  const operator = `${not(expression.negated)}${expression.caseInsensitive ? 'ILIKE' : 'LIKE'}`;
  const { quantifier, patterns } = expression;
  const right =
    quantifier === null
      ? patterns.map((pattern) => beside(printer, pattern)).join()
      : `${quantifier} (${printList(printer, patterns)})`;
  return `${beside(printer, expression.operand)} ${operator} ${right}`;
}

function printBetween(printer: CanonicalPrinter, { operand, low, high, negated }: Node<'between'>): string {
  const bounds = `${beside(printer, low)} AND ${beside(printer, high)}`;
  return `${beside(printer, operand)} ${not(negated)}BETWEEN ${bounds}`;
}

function printCase(printer: CanonicalPrinter, expression: Node<'case'>): string {
  const operand = expression.operand === null ? '' : ` ${printer.expression(expression.operand)}`;
  const branches = expression.branches.map(
    ({ when, then }) => ` WHEN ${printer.expression(when)} THEN ${printer.expression(then)}`
  );
  const otherwise = expression.otherwise === null ? '' : ` ELSE ${printer.expression(expression.otherwise)}`;
  return `CASE${operand}${branches.join('')}${otherwise} END`;
}

function printCast(printer: CanonicalPrinter, { safe, operand, type, format }: Node<'cast'>): string {
  const formatText =
    format === null ? '' : ` FORMAT ${printer.expression(format.pattern)}${printZone(printer, format.timeZone)}`;
  return `${safe ? 'SAFE_CAST' : 'CAST'}(${printer.expression(operand)} AS ${printTypeName(type)}${formatText})`;
}

function printZone(printer: CanonicalPrinter, timeZone: Expression | null): string {
  return timeZone === null ? '' : ` AT TIME ZONE ${printer.expression(timeZone)}`;
}

function printExtract(printer: CanonicalPrinter, { part, weekday, operand, timeZone }: Node<'extract'>): string {
  const field = `${part.name}${weekday === null ? '' : `(${weekday.name})`}`;
  return `EXTRACT(${field} FROM ${printer.expression(operand)}${printZone(printer, timeZone)})`;
}

function printWith(printer: CanonicalPrinter, { variables, body }: Node<'with'>): string {
  const defined = variables.map(
    (variable) => `${printName(variable.name)} AS ${printer.expression(variable.expression)}, `
  );
  return `WITH(${defined.join('')}${printer.expression(body)})`;
}

function printLambda(printer: CanonicalPrinter, { parameters, body }: Node<'lambda'>): string {
  const names = parameters.map(printName);
  return `${names.length === 1 ? names.join() : `(${names.join(', ')})`} -> ${printer.expression(body)}`;
}

function printStruct(printer: CanonicalPrinter, { type, fields }: Node<'struct'>): string {
  const printed = fields.map(({ name, value }) => `${printer.expression(value)}${printAlias(name)}`);
  return `${type === null ? 'STRUCT' : printTypeName(type)}(${printed.join(', ')})`;
}

/** Iterates over a chain of one precedence, which may have thousands of operands. */
function printBinary(printer: CanonicalPrinter, expression: BinaryExpression): string {
  const level = levelOf(expression);
  if (level === LEVEL.COMPARISON) {
    const left = printer.expression(expression.left, BESIDE_COMPARISON);
    return `${left} ${expression.operator} ${printer.expression(expression.right, BESIDE_COMPARISON)}`;
  }
  const rights: string[] = [];
  let left: Expression = expression;
  while (left.kind === 'binary' && levelOf(left) === level) {
    rights.push(` ${left.operator} ${printer.expression(left.right, level + 1)}`);
    left = left.left;
  }
  return printer.expression(left, level) + rights.reverse().join('');
}

function printUnary(printer: CanonicalPrinter, { operator, operand }: UnaryExpression): string {
  if (operator === 'NOT') return `NOT ${printer.expression(operand, LEVEL.NOT)}`;
  const text = printer.expression(operand, LEVEL.UNARY);
  // Two adjacent minus signs would start a comment.
  return operator === '-' && text.startsWith('-') ? `-(${text})` : `${operator}${text}`;
}

function printIs(printer: CanonicalPrinter, { operand, negated, test }: IsExpression): string {
  const right =
    typeof test === 'string' ? test : `DISTINCT FROM ${printer.expression(test.distinctFrom, BESIDE_COMPARISON)}`;
  return `${printer.expression(operand, BESIDE_COMPARISON)} IS ${not(negated)}${right}`;
}

function printChoices(printer: CanonicalPrinter, choices: InExpression['choices']): string {
  switch (choices.kind) {
    case 'list':
      return `(${choices.items.map((item) => printer.expression(item)).join(', ')})`;
    case 'subquery':
      return `(${printer.query(choices.query)})`;
    case 'unnest':
      return `UNNEST(${printer.expression(choices.array)})`;
  }
}

/** An index that looks like a mode keeps its parentheses: `a[(OFFSET(1))]` calls a function. */
function printIndex(printer: CanonicalPrinter, { base, mode, index }: IndexExpression): string {
  const text = printer.expression(index);
  const plain = /^(?:SAFE_)?(?:OFFSET|ORDINAL)\(/i.test(text) ? `(${text})` : text;
  const inner = mode === 'plain' ? plain : `${mode.toUpperCase()}(${text})`;
  return `${base.kind === 'path' ? printer.expression(base) : printBase(printer, base)}[${inner}]`;
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}
