/**
 * Paths of the metadata whose values a sealed part has in columns, kept as the comment of its table. What lies at other
 * paths is in its short text.
 */
import { z } from 'zod';
import type { HeldPaths } from '../part';
import { columnPaths, type Template } from './json-template';

const commentSchema = z.object({ held: z.array(z.array(z.string())) });

/** @returns null: the part has no short text */
export function heldPathsOf(templates: readonly Template[]): HeldPaths | null {
  if (templates.length === 0) return null;
  const paths = templates.flatMap(({ root }) => [...columnPaths(root)]);
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

export function printComment(held: HeldPaths): string {
  return JSON.stringify({ held });
}

/** @returns null for a table without such a comment, whose text is read whole */
export function parseComment(comment: string | null): HeldPaths | null {
  if (comment === null) return null;
  try {
    return commentSchema.parse(JSON.parse(comment)).held;
  } catch {
    return null;
  }
}
