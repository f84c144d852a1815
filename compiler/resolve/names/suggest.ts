/** "Did you mean": finds the nearest visible name. */

/**
 * @returns the candidate with the smallest edit distance, at most max(2, a third of the length); undefined if there is
 * none
 */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  return nearest(name, candidates, 1)[0];
}

/** Like `suggest`, with up to `count` candidates, nearest first. */
export function nearest(name: string, candidates: Iterable<string>, count: number): readonly string[] {
  const wanted = name.toLowerCase().slice(0, 64);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= limit && distance < wanted.length) found.push({ candidate, distance });
  }
  const ordered = found.sort((a, b) => a.distance - b.distance);
  return ordered.slice(0, count).map(({ candidate }) => candidate);
}

/** ` — did you mean "x"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = suggest(name, candidates);
  return found === undefined ? '' : ` — did you mean "${found}"?`;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
