/** Paths of the metadata whose values a sealed part has in columns. Values at other paths are in its short text. */
import type { PathsInColumns } from '../tables/part';
import { columnPaths, type Template } from './json-template';

/** @returns null: the part has no short text */
export function pathsInColumns(templates: readonly Template[]): PathsInColumns | null {
  if (templates.length === 0) return null;
  const paths = templates.flatMap(({ root }) => [...columnPaths(root)]);
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}
