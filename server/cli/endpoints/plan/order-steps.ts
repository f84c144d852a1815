/**
 * Orders changes so that the server accepts each: saved queries take values of parameters from others (`values`), and
 * names are unique at every moment. Where no order exists, a step in between removes lists of values that a later step
 * sets again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import { valueListProblem } from '../../../catalog/definitions/value-list';
import type { ListedQuery } from '../remote/answers';
import type { Change } from './make-plan';

export type Step =
  | Change
  /** Stores the text of the file, or the present one, without lists of values. */
  | { readonly kind: 'detach'; readonly change: Change; readonly text: 'file' | 'present' };

export interface OrderedSteps {
  readonly steps: readonly Step[];
  /** Changes without an order: names that are exchanged. */
  readonly stuck: readonly Change[];
}

/** What the rules about saved queries depend on. */
interface State {
  readonly name: string;
  readonly sandbox: boolean;
  readonly parameters: readonly Parameter[];
}

/** @param served all saved queries of the server */
export function orderSteps(changes: readonly Change[], served: readonly ListedQuery[]): OrderedSteps {
  const states = createStates(served);
  const steps: Step[] = [];
  let pending = changes;
  while (pending.length > 0) {
    const waiting = pending.filter((change) => {
      const after = stateAfter(change);
      if (!states.allows(change, after)) return true;
      states.apply(change, after);
      steps.push(change);
      return false;
    });
    if (waiting.length === pending.length) {
      const step = findDetachment(waiting, states);
      if (!step) return { steps, stuck: waiting };
      steps.push(step);
    }
    pending = waiting;
  }
  return { steps, stuck: [] };
}

/** Identifies the saved query of a change, which may have no id yet. */
export function keyOf(change: Change): string {
  return change.kind === 'create' ? `new ${change.local.definition.name}` : change.served.id;
}

function createStates(served: readonly ListedQuery[]) {
  const byKey = new Map<string, State>(served.map((query) => [query.id, query]));
  const keyByName = new Map(served.map(({ id, name }) => [name, id]));

  function dependents(name: string, key: string): boolean {
    for (const [other, { parameters }] of byKey)
      if (other !== key && parameters.some(({ values }) => values?.query === name)) return true;
    return false;
  }

  function isFree(name: string, key: string): boolean {
    const owner = keyByName.get(name);
    return owner === undefined || owner === key;
  }

  function hasLists(key: string, after: State): boolean {
    return after.parameters.every(({ values }) => {
      if (!values) return true;
      const owner = keyByName.get(values.query);
      const target = values.query === after.name ? after : byKey.get(owner ?? '');
      // The former name of the saved query itself is free after the change.
      if (!target || (owner === key && target !== after)) return false;
      return valueListProblem(values, [asDefinition(target)]) === undefined;
    });
  }

  return {
    of: (change: Change): State | undefined => byKey.get(keyOf(change)),
    isAt: (change: Change, state: State): boolean => isDeepStrictEqual(byKey.get(keyOf(change)), state),
    hasDependents: (change: Change): boolean => {
      const before = byKey.get(keyOf(change));
      return before !== undefined && dependents(before.name, keyOf(change));
    },
    allows(change: Change, after: State | null): boolean {
      const key = keyOf(change);
      const before = byKey.get(key);
      if (after === null) return !dependents(before!.name, key);
      if (!isFree(after.name, key) || !hasLists(key, after)) return false;
      return !before || before.name === after.name || !dependents(before.name, key);
    },
    apply(change: Change, after: State | null): void {
      const key = keyOf(change);
      const before = byKey.get(key);
      if (before) keyByName.delete(before.name);
      if (after === null) byKey.delete(key);
      else {
        byKey.set(key, after);
        keyByName.set(after.name, key);
      }
    },
  };
}

type States = ReturnType<typeof createStates>;

function stateAfter(change: Change): State | null {
  return change.kind === 'delete' ? null : change.local.definition;
}

/** Finds a step in between and applies it. Each one removes lists of values, so that they come to an end. */
function findDetachment(waiting: readonly Change[], states: States): Step | null {
  for (const change of waiting) {
    const after = withoutLists(stateAfter(change));
    if (after === null || states.isAt(change, after) || !states.allows(change, after)) continue;
    states.apply(change, after);
    return { kind: 'detach', change, text: 'file' };
  }
  const inTheWay = waiting.find((change) => states.hasDependents(change));
  const name = inTheWay && states.of(inTheWay)?.name;
  const dependent = waiting.find((change) =>
    states.of(change)?.parameters.some(({ values }) => values !== undefined && values.query === name)
  );
  if (!dependent) return null;
  states.apply(dependent, withoutLists(states.of(dependent) ?? null));
  return { kind: 'detach', change: dependent, text: 'present' };
}

function withoutLists(state: State | null): State | null {
  if (!state) return null;
  const parameters = state.parameters.map((parameter): Parameter => {
    const rest = { ...parameter };
    delete rest.values;
    return rest;
  });
  return { name: state.name, sandbox: state.sandbox, parameters };
}

/** Only fields that `valueListProblem` reads. */
function asDefinition({ name, sandbox, parameters }: State): SavedQuery {
  return { name, sandbox, parameters } as SavedQuery;
}
