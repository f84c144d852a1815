/**
 * Caches resolved statements, because dashboards repeat their queries. A resolved statement is valid as long as the
 * catalog is the same object; request times are printed for each run.
 */
import { LRUCache } from 'lru-cache';
import {
  type CompiledQuery,
  type CompileRequest,
  printResolved,
  type ResolvedRequest,
  resolveRequest,
} from '#compiler';

const MAX_PLANS = 200;
/** Total size of the cached query texts, in characters. */
const MAX_TEXT = 1_000_000;

interface Plan {
  readonly of: CompileRequest;
  readonly resolved: ResolvedRequest;
}

/** @returns `compile` of the compiler, with a cache */
export function createPlanCache(): (request: CompileRequest) => CompiledQuery {
  const plans = new LRUCache<string, Plan>({ max: MAX_PLANS, maxSize: MAX_TEXT });
  return (request) => {
    const key = keyOf(request);
    const known = plans.get(key);
    if (known !== undefined && isSame(known.of, request) && known.resolved.time.holdsAt(request.nowMicros)) {
      const query = printResolved(known.resolved, request);
      // A dialect may have printed the time of the first request into the statement.
      if (known.resolved.time.holdsAt(request.nowMicros)) return query;
    }
    const resolved = resolveRequest(request);
    const query = printResolved(resolved, request);
    if (resolved.time.holdsAt(request.nowMicros)) plans.set(key, { of: request, resolved }, { size: key.length });
    return query;
  };
}

function keyOf({ definition, adhoc, parameters, tenant }: CompileRequest): string {
  return JSON.stringify([definition.id, tenant, adhoc?.language, adhoc?.text, Object.entries(parameters)]);
}

function isSame(a: CompileRequest, b: CompileRequest): boolean {
  return a.definition === b.definition && a.catalog === b.catalog && a.redaction === b.redaction;
}
