/** Matches a sticky pattern at an offset; null if it does not match there. */
export function matchAt(pattern: RegExp, text: string, start: number): string | null {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? null;
}
