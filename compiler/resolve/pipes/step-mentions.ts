/** What the expressions of a pipe operator contain, found before they are resolved. */
import type { Expression, PipeStep } from '../../ast';

export interface Mentions {
  /** All parts of dotted names, lower case, subqueries included. */
  readonly names: ReadonlySet<string>;
  /** Names of the functions called, subqueries included. */
  readonly calls: ReadonlySet<string>;
  /** Whether a call has OVER, subqueries included. */
  readonly hasWindow: boolean;
  /** Whether there is a subquery. */
  readonly hasQuery: boolean;
  /** Whether an expression is more than a name. */
  readonly computes: boolean;
}

interface Found {
  readonly names: Set<string>;
  readonly calls: Set<string>;
  hasWindow: boolean;
  hasQuery: boolean;
  computes: boolean;
}

export function mentionsOf(step: PipeStep | Expression): Mentions {
  const found: Found = { names: new Set(), calls: new Set(), hasWindow: false, hasQuery: false, computes: false };
  walk(step, found);
  return found;
}

/** Visits all nodes below; the depth of a tree is bounded by the parser, chains of operators go to the left. */
function walk(node: unknown, found: Found): void {
  for (let current = node; typeof current === 'object' && current !== null;) {
    if (Array.isArray(current)) {
      for (const item of current) walk(item, found);
      return;
    }
    const { kind, parts, left, over, ...rest } = current as Record<string, unknown>;
    if (kind === 'path') {
      for (const { name } of parts as readonly { name: string }[]) found.names.add(name.toLowerCase());
      return;
    }
    if (isExpression(kind)) found.computes = true;
    if (kind === 'query') found.hasQuery = true;
    if (kind === 'call') found.calls.add(rest.name as string);
    if (kind === 'call' && over !== null) {
      found.hasWindow = true;
      walk(over, found);
    }
    for (const [key, child] of Object.entries(rest)) if (key !== 'position') walk(child, found);
    current = left;
  }
}

const OTHER_NODES: ReadonlySet<unknown> = new Set(['select-expression', 'select-star', 'order-item', 'named-window']);

function isExpression(kind: unknown): boolean {
  return typeof kind === 'string' && !kind.startsWith('pipe-') && !OTHER_NODES.has(kind);
}
