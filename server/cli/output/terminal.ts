/** Output and questions of the commands. Texts of a server never reach a terminal with control characters. */
import { createInterface } from 'node:readline/promises';

export interface Terminal {
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Whether standard output takes colors. */
  readonly hasColor: boolean;
  /** Writes a line, or lines, to standard output. */
  print(text: string): void;
  /** Writes a text to standard output as it is, unless that is a terminal. */
  printExactly(text: string): void;
  /** Writes a line, or lines, to standard error. */
  warn(text: string): void;
  /** @returns the answer without blanks around it; empty when the input ends */
  ask(question: string): Promise<string>;
}

/** `NO_COLOR` with any value turns colors off (https://no-color.org). */
export function processTerminal(): Terminal {
  const { env } = process;
  const isScreen = process.stdout.isTTY;
  return {
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    hasColor: isScreen && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    print: (text) => void process.stdout.write(`${text}\n`),
    printExactly: (text) => void process.stdout.write(isScreen ? printable(text) : text),
    warn: (text) => void process.stderr.write(`${text}\n`),
    ask: askPerson,
  };
}

async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}

/** @returns whether the person agreed. @throws without a terminal */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.isInteractive) throw new Error('Nothing was changed: give --yes, because there is no terminal to ask.');
  return /^y(es)?$/i.test(await terminal.ask(`${question} [y/N] `));
}

/** Controls except tab and line feed, and characters that change the direction of a text. */
const UNSAFE = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Shows control characters as escapes. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (character === '\r') return '\\r';
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** Like `printable`, on one line. @param maxLength longer texts end with an ellipsis */
export function printableLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = printable(text.replace(/\s+/gu, ' ').trim());
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
