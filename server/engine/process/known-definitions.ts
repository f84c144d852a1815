/** The definitions that the engine runs, by id, and former ones for calls that were bound for them. */
import { LRUCache } from 'lru-cache';
import type { SavedQuery } from '#contract/queries/saved-query';
import { definitionDigest } from '../../catalog/definitions/definition-digest';

/** Longer than any call: a run lasts at most ten minutes. */
const FORMER_MS = 15 * 60_000;
const MAX_FORMER = 2_000;

export class KnownDefinitions {
  private byId: ReadonlyMap<string, SavedQuery> = new Map();
  /** Definitions that compile with the sources of the open store. */
  private readonly checked = new WeakSet<SavedQuery>();
  private readonly former = new LRUCache<string, SavedQuery>({ max: MAX_FORMER, ttl: FORMER_MS });

  /**
   * Replaces all definitions.
   *
   * @param compiled definitions that compile
   * @param stored definitions that are compiled at their first use
   */
  replace(compiled: readonly SavedQuery[], stored: readonly SavedQuery[], former: readonly SavedQuery[]): void {
    const next = new Map([...compiled, ...stored].map((definition) => [definition.id, definition]));
    for (const definition of [...former, ...this.byId.values()])
      if (!isSame(next.get(definition.id), definition)) this.remember(definition);
    this.byId = next;
    for (const definition of compiled) this.checked.add(definition);
  }

  /** @param changed definitions that are compiled at their first use */
  amend(changed: readonly SavedQuery[], removed: readonly string[]): void {
    const next = new Map(this.byId);
    const others = changed.filter((definition) => !isSame(next.get(definition.id), definition));
    for (const id of [...removed, ...others.map((definition) => definition.id)]) {
      const former = next.get(id);
      if (former) this.remember(former);
      next.delete(id);
    }
    for (const definition of others) next.set(definition.id, definition);
    this.byId = next;
  }

  get all(): Iterable<SavedQuery> {
    return this.byId.values();
  }

  get(id: string): SavedQuery | undefined {
    return this.byId.get(id);
  }

  /** The current or a former definition with this digest. */
  find(id: string, digest: string): SavedQuery | undefined {
    const current = this.byId.get(id);
    if (current && definitionDigest(current) === digest) return current;
    return this.former.get(keyOf(id, digest));
  }

  isChecked(definition: SavedQuery): boolean {
    return this.checked.has(definition);
  }

  noteChecked(definition: SavedQuery): void {
    this.checked.add(definition);
  }

  private remember(definition: SavedQuery): void {
    this.former.set(keyOf(definition.id, definitionDigest(definition)), definition);
  }
}

function isSame(a: SavedQuery | undefined, b: SavedQuery): boolean {
  return a !== undefined && definitionDigest(a) === definitionDigest(b);
}

function keyOf(id: string, digest: string): string {
  return `${id} ${digest}`;
}
