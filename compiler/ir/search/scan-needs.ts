/**
 * Needs of the scans of a statement: conditions on the texts of an event that must be true, or the result does not
 * depend on the event. They come from WHERE and inner joins, through queries that pass rows on one by one.
 */
import type { TextNeed } from '../../output/query-search';
import { outputOf, rowByRow, soleQuery } from '../passes/rows/newest-first';
import type { Reachable } from '../passes/reachable';
import type { FromPlan, QueryPlan, RelationPlan, ScanInput } from '../plan';
import { allOf, bounded, mapTests, type Need } from './needs';
import { needsOf } from './needs-of';

export type ScanNeeds = ReadonlyMap<ScanInput, TextNeed>;

export function scanNeeds(plan: QueryPlan, reachable: Reachable): ScanNeeds {
  const walk = new NeedWalk(reachable);
  walk.plan(plan, undefined);
  return walk.found;
}

class NeedWalk {
  readonly found = new Map<ScanInput, TextNeed>();
  private readonly seen = new Set<QueryPlan>();

  constructor(private readonly reachable: Reachable) {}

  /** @param given what rows of the plan must hold: conditions on its outputs, by a reader with any number */
  plan(plan: QueryPlan, given: Need | undefined): void {
    // A WITH query that is read several times.
    if (this.seen.has(plan)) return;
    this.seen.add(plan);
    const { body } = plan;
    const isCut = plan.limit !== null || plan.offset !== null;
    if (body.kind === 'set') {
      const passed = body.operator === 'UNION ALL' && !isCut ? given : undefined;
      body.branches.forEach((branch, index) => {
        const names = new Map(body.outputs.map(({ name, branchOutputs }) => [name, branchOutputs[index]]));
        const renamed =
          passed &&
          mapTests(passed, (test) => {
            const column = names.get(test.column);
            return column === undefined ? undefined : { ...test, column };
          });
        this.plan(branch, renamed);
      });
      return;
    }
    if (body.from === null) return;
    const passed = given !== undefined && !isCut && rowByRow(body) ? given : undefined;
    const inside =
      passed &&
      mapTests(passed, (test) => {
        const output = outputOf(body, test.column);
        if (output?.kind !== 'column' || output.type.kind !== 'STRING') return undefined;
        return { ...test, relation: output.relation, column: output.name };
      });
    this.from(body.from, allOf([inside, needsOf(body.where)]));
  }

  private from(from: FromPlan, need: Need | undefined): void {
    if (from.kind === 'relation') return this.relation(from, need);
    const { join, left, right, on } = from;
    const isInner = join === 'INNER' || join === 'CROSS';
    const both = isInner ? allOf([need, needsOf(on)]) : need;
    this.from(left, isInner || join === 'LEFT' ? both : undefined);
    this.from(right, isInner || join === 'RIGHT' ? both : undefined);
  }

  private relation(relation: RelationPlan, given: Need | undefined): void {
    const { id, input, unnests } = relation;
    const made = new Set(unnests.flatMap(({ element, offset }) => [element, offset]));
    const need =
      given && mapTests(given, (test) => (test.relation === id && !made.has(test.column) ? test : undefined));
    if (input.kind === 'scan') {
      const of = need && bounded(need);
      if (of !== undefined) this.found.set(input, of);
      return;
    }
    if (input.kind === 'derived') return this.plan(input.plan, need);
    if (input.kind !== 'common-table' || input.table.recursion) return;
    this.plan(input.table.plan, soleQuery(relation, this.reachable) === undefined ? undefined : need);
  }
}
