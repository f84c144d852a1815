/**
 * Log of the plugin: one JSON object per line on stderr, which Grafana adds to its own log.
 *
 * Grafana's parser is strict: if `@message` or `@level` is not text, Grafana crashes; a line beyond 64 KiB is split; a
 * time without exactly six fractional digits makes the line unreadable.
 */
import { writeSync } from 'node:fs';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

const STDERR = 2;
const MAX_LINE_BYTES = 60_000;
const MAX_TEXT_LENGTH = 4_000;

export function createLogger(): Logger {
  return { log: (level, message, fields = {}) => writeToStderr(formatLine(level, message, fields, new Date())) };
}

export function formatLine(level: LogLevel, message: unknown, fields: LogFields, at: Date): string {
  const head = {
    '@level': level,
    '@message': shorten(String(message)),
    '@timestamp': at.toISOString().replace('Z', '000Z'),
  };
  const entry: Record<string, unknown> = { ...head };
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith('@') || value === undefined) continue;
    entry[name] = typeof value === 'string' ? shorten(value) : value;
  }
  const line = JSON.stringify(entry);
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return `${line}\n`;
  return `${JSON.stringify(head)}\n`;
}

/** Routes console output to the log: stdout is reserved for the handshake, and stderr must be JSON lines. */
export function redirectConsole(logger: Logger, target: Console = console): void {
  const levels = [
    ['log', 'info'],
    ['info', 'info'],
    ['debug', 'debug'],
    ['trace', 'debug'],
    ['warn', 'warn'],
    ['error', 'error'],
  ] as const;
  for (const [method, level] of levels) {
    target[method] = (...parts: unknown[]) => logger.log(level, parts.map(textOf).join(' '));
  }
}

/** Text of an uncaught error for the log: its stack, never a value of a query. */
export function textOf(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/**
 * Synchronous, so that the last lines before an exit are written. Ignores errors: Grafana may have ended or may not
 * read.
 */
function writeToStderr(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    return;
  }
}
