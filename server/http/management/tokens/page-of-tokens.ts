/** Pages of tokens, oldest first. */
import type { StoredToken } from '#contract/tokens/token';

type Tokens = ReadonlyMap<string, StoredToken>;

/** The tokens in order; a snapshot is sorted once. */
const sortedSnapshots = new WeakMap<Tokens, readonly StoredToken[]>();

export interface TokenPage {
  readonly tokens: readonly StoredToken[];
  /** Where the next page starts; null: the last page. */
  readonly next: string | null;
}

export function pageOfTokens(snapshot: Tokens, { after, limit, isVisible }: PageOptions): TokenPage {
  const page: StoredToken[] = [];
  for (const token of sorted(snapshot)) {
    if ((after !== null && placeOf(token) <= after) || !isVisible(token)) continue;
    if (page.length === limit) return { tokens: page, next: placeOf(page[page.length - 1]!) };
    page.push(token);
  }
  return { tokens: page, next: null };
}

interface PageOptions {
  /** `next` of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
  readonly isVisible: (token: StoredToken) => boolean;
}

/** Orders tokens, also when the one at the end of a page no longer exists. */
function placeOf({ created_at, id }: StoredToken): string {
  return `${created_at} ${id}`;
}

function sorted(snapshot: Tokens): readonly StoredToken[] {
  let tokens = sortedSnapshots.get(snapshot);
  if (tokens === undefined) {
    tokens = [...snapshot.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    sortedSnapshots.set(snapshot, tokens);
  }
  return tokens;
}
