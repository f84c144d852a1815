/** Prints names, in backticks if they were quoted or require it. */
import type { Identifier } from '../../../ast/node';
import { CALLED_WITHOUT_PARENTHESES, RESERVED_WORDS } from '../../reserved-words';
import { escapeText } from './print-literal';

export function printName({ name, quoted }: Pick<Identifier, 'name' | 'quoted'>): string {
  return quoted || !isPlain(name) || RESERVED_WORDS.has(name.toUpperCase()) ? inBackticks(name) : name;
}

/** ` AS name`, or nothing. After AS the reserved word INTERVAL is a name. */
export function printAlias(alias: Identifier | null): string {
  if (alias === null) return '';
  return ` AS ${isIntervalWord(alias) ? alias.name : printName(alias)}`;
}

/** Dotted name of a table. Only its first part needs backticks if it is a reserved word. */
export function printDottedName([first, ...others]: readonly Identifier[]): string {
  return first === undefined ? '' : printName(first) + others.map(printField).join('');
}

/** Dotted name as an operand; some names would be parsed as something else without backticks. */
export function printPath(parts: readonly Identifier[]): string {
  const [first, ...others] = parts;
  if (first === undefined) return '';
  if (isIntervalWord(first))
    return others.length === 0 ? `(${first.name})` : first.name + others.map(printField).join('');
  if (others.length === 0 && CALLED_WITHOUT_PARENTHESES.has(first.name.toUpperCase())) return inBackticks(first.name);
  return printDottedName(parts);
}

/** A dot and a name. */
export function printField({ name, quoted }: Pick<Identifier, 'name' | 'quoted'>): string {
  return `.${quoted || !isPlain(name) ? inBackticks(name) : name}`;
}

function isIntervalWord({ name, quoted }: Identifier): boolean {
  return !quoted && name.toUpperCase() === 'INTERVAL';
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function inBackticks(name: string): string {
  return `\`${escapeText(name, '`')}\``;
}
