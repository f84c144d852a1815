/** Converts dotted names to nested records. */
import { Token } from '../../../common/json/json-token';
import type { JsonNode } from '../../../common/json/json-tree';

/** Maximum segments of a name; a longer one stays unchanged. The store keeps fields down to a depth of twenty. */
const MAX_SEGMENTS = 20;

/**
 * Nests fields: `a.b` = 1 becomes `{"a":{"b":1}}`. Shorter names are placed first; a name that conflicts with a placed
 * one (`a` and `a.b`) stays dotted, at the top. No field is lost, and the order of the names has no effect.
 */
export function placeFields(fields: ReadonlyMap<string, JsonNode>): Map<string, JsonNode> {
  const names = [...fields].map(([name, value]) => ({ name, value, path: name.split('.') }));
  if (names.every(({ path }) => path.length === 1)) return new Map(fields);
  names.sort((a, b) => a.path.length - b.path.length || (a.name < b.name ? -1 : 1));
  const placement = new Placement();
  for (const { name, path, value } of names) {
    if (!isPath(path) || !placement.place(path, value)) placement.root.set(name, value);
  }
  return placement.root;
}

/** Records that the name of a field is nested in. */
export function nestingOf(name: string): number {
  if (!name.includes('.')) return 0;
  const path = name.split('.');
  return isPath(path) ? path.length - 1 : 0;
}

function isPath(path: readonly string[]): boolean {
  return path.length <= MAX_SEGMENTS && !path.includes('');
}

type Members = Map<string, JsonNode>;

class Placement {
  readonly root: Members = new Map();
  /** Records that this object created; records of the event are never changed. */
  private readonly created = new Map<ReadonlyMap<string, JsonNode>, Members>();

  /** @returns false when another value conflicts. */
  place(path: readonly string[], value: JsonNode): boolean {
    let parent = this.root;
    for (const key of path.slice(0, -1)) {
      const found = this.recordIn(parent, key);
      if (found === null) return false;
      parent = found;
    }
    const last = path[path.length - 1]!;
    if (parent.has(last)) return false;
    parent.set(last, value);
    return true;
  }

  private recordIn(parent: Members, key: string): Members | null {
    const found = parent.get(key);
    if (found !== undefined && found.token !== Token.object) return null;
    const own = found && this.created.get(found.members);
    if (own !== undefined) return own;
    const members: Members = new Map(found?.members);
    this.created.set(members, members);
    parent.set(key, { token: Token.object, members });
    return members;
  }
}
