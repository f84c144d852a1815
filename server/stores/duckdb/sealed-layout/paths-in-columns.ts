/**
 * Paths of the metadata whose values a sealed part has in columns, kept as the comment of its table. Values at
 * other paths are in its short text.
 */
import { z } from 'zod';
import type { PathsInColumns } from '../tables/part';
import { columnPaths, type Template } from './json-template';

/** `held` is the name in stored files. */
const commentSchema = z.object({ held: z.array(z.array(z.string())) });

/** @returns null: the part has no short text */
export function pathsInColumns(templates: readonly Template[]): PathsInColumns | null {
  if (templates.length === 0) return null;
  const paths = templates.flatMap(({ root }) => [...columnPaths(root)]);
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

export function printComment(inColumns: PathsInColumns): string {
  return JSON.stringify({ held: inColumns });
}

/** @returns null for a table without such a comment, whose text is read whole */
export function parseComment(comment: string | null): PathsInColumns | null {
  if (comment === null) return null;
  try {
    return commentSchema.parse(JSON.parse(comment)).held;
  } catch {
    return null;
  }
}
