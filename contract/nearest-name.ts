/** "Did you mean": the names that a caller most likely meant. */

/** Maximum compared length, which bounds the work for a hostile name; longer names are no misspellings. */
const MAX_LENGTH = 64;

/**
 * The candidate with the smallest edit distance, at most max(2, a third of the length), and 1 for up to three letters.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates, 1)[0];
}

/** Like `nearestName`, with up to `count` candidates, nearest first. */
function nearestNames(name: string, candidates: Iterable<string>, count: number): readonly string[] {
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH);
  const limit = wanted.length <= 3 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= limit && distance < wanted.length) found.push({ candidate, distance });
  }
  const ordered = found.sort((a, b) => a.distance - b.distance);
  return ordered.slice(0, count).map(({ candidate }) => candidate);
}

/** ` — did you mean "x"?` to append to a message; empty without a near name. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = nearestName(name, candidates);
  return found === undefined ? '' : ` — did you mean "${found}"?`;
}

/** Details of an error with the nearest names as its hint; no details without one. */
export function meantHint(name: string, candidates: Iterable<string>, count = 1): { readonly hint?: string } {
  const found = nearestNames(name, candidates, count);
  return found.length === 0 ? {} : { hint: `did you mean ${found.map((each) => `"${each}"`).join(' or ')}?` };
}

/** Names in a hint that lists them. */
const MAX_LISTED = 15;

/** Details of an error with a hint that lists the names that there are; no details without any. */
export function knownHint(
  kind: 'tables' | 'columns' | 'sources',
  names: readonly string[]
): { readonly hint?: string } {
  if (names.length === 0) return {};
  const more = names.length > MAX_LISTED ? ', …' : '';
  const known = names.length === 1 ? `there is the ${kind.slice(0, -1)}` : `there are the ${kind}`;
  return { hint: `${known} ${names.slice(0, MAX_LISTED).join(', ')}${more}` };
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
