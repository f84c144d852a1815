/** Stacks that name the sources: each program of the server is a bundle, one file of all its modules. */
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { decodeSourceMap, type SourceMapText } from './source-positions';

/** Exists beside a bundle only. */
const MAP_FILE = `${__filename}.map`;
const ROOT = resolve(__dirname, '..', '..');

let positionOf: ReturnType<typeof decodeSourceMap> | null | undefined;

/**
 * The stack with `server/main.ts:50:9` in place of a line of the bundle. The map is read for the first stack, not at
 * the start, which it would slow down.
 */
export function sourceStack(stack: string): string {
  const [head = '', ...frames] = stack.split(`${__filename}:`);
  if (frames.length === 0) return stack;
  positionOf ??= existsSync(MAP_FILE) ? readMap() : null;
  return head + frames.map((frame) => frame.replace(/^(\d+):(\d+)/, sourceOf)).join('');
}

function readMap(): ReturnType<typeof decodeSourceMap> {
  return decodeSourceMap(JSON.parse(readFileSync(MAP_FILE, 'utf8')) as SourceMapText);
}

function sourceOf(place: string, line: string, column: string): string {
  const position = positionOf?.(Number(line) - 1, Number(column) - 1);
  if (!position) return `${__filename}:${place}`;
  const source = relative(ROOT, resolve(__dirname, position.source));
  return `${source}:${position.line + 1}:${position.column + 1}`;
}
