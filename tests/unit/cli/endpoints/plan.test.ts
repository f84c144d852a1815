/** Plans: every order of steps is one that the server accepts, and the server is equal to the files afterwards. */
import fc from 'fast-check';
import { isLocal, type LocalDefinition, readLocal } from '#server/cli/endpoints/definition/local-definition';
import { type Change, makePlan } from '#server/cli/endpoints/plan/make-plan';
import { orderSteps, type Step } from '#server/cli/endpoints/plan/order-steps';
import type { StoredQuery } from '#server/cli/endpoints/remote/read-texts';

interface Shape {
  readonly id: string;
  readonly name: string;
  /** Names of the saved queries that list values of a parameter. */
  readonly lists: readonly string[];
}

const idOf = (number: number): string => `00000000-0000-4000-9000-00000000000${number}`;

function textOf({ id, name, lists }: Shape): string {
  const parameters = lists.map((query, at) => `  - name: p${at}\n    values: { query: ${query} }\n`);
  const declared = parameters.length === 0 ? '' : `parameters:\n${parameters.join('')}`;
  return `id: ${id}\nname: ${name}\nquery: SELECT 1 AS n\n${declared}`;
}

function localOf(shape: Shape): LocalDefinition {
  const local = readLocal({ file: `${shape.name}.yaml`, text: textOf(shape) });
  if (!isLocal(local)) throw new Error(JSON.stringify(local));
  return local;
}

function storedOf(shape: Shape): StoredQuery {
  const { definition, text } = localOf(shape);
  return { ...definition, revision: 1, origin: 'api', text };
}

/** The rules of the server about names and lists, as it applies them to one change after the other. */
class ServerModel {
  private readonly queries: Map<string, Shape>;

  constructor(shapes: readonly Shape[]) {
    this.queries = new Map(shapes.map((shape) => [shape.id, shape]));
  }

  run(step: Step): void {
    if (step.kind === 'detach') {
      const { change } = step;
      const present = this.queries.get(idIn(change));
      const shape = step.text === 'file' ? shapeOf(change) : present;
      if (!shape) throw new Error('there is nothing to detach');
      this.put({ ...shape, lists: [] });
    } else if (step.kind === 'delete') this.remove(step.served.id);
    else this.put(shapeOf(step)!);
  }

  all(): readonly Shape[] {
    return [...this.queries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  private put(shape: Shape): void {
    const former = this.queries.get(shape.id);
    const others = [...this.queries.values()].filter(({ id }) => id !== shape.id);
    if (others.some(({ name }) => name === shape.name)) throw new Error(`name_taken: ${shape.name}`);
    if (former && former.name !== shape.name) this.ensureNoDependents(former);
    for (const list of shape.lists)
      if (![...others, shape].some(({ name }) => name === list)) throw new Error(`there is no ${list}`);
    this.queries.set(shape.id, shape);
  }

  private remove(id: string): void {
    this.ensureNoDependents(this.queries.get(id)!);
    this.queries.delete(id);
  }

  private ensureNoDependents({ id, name }: Shape): void {
    for (const other of this.queries.values())
      if (other.id !== id && other.lists.includes(name)) throw new Error(`endpoint_in_use: ${name}`);
  }
}

function idIn(change: Change): string {
  return change.kind === 'create' ? change.local.id! : change.served.id;
}

function shapeOf(change: Change): Shape | null {
  if (change.kind === 'delete') return null;
  const { name, parameters } = change.local.definition;
  return { id: idIn(change), name, lists: parameters.flatMap(({ values }) => (values ? [values.query] : [])) };
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Saved queries with different ids and names, whose lists exist. */
const shapes: fc.Arbitrary<readonly Shape[]> = fc
  .tuple(
    fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { maxLength: 6 }),
    fc.shuffledSubarray([...NAMES], { minLength: 6 }),
    fc.array(fc.array(fc.nat(5), { maxLength: 2 }), { minLength: 6, maxLength: 6 })
  )
  .map(([ids, names, lists]) => {
    const used = names.slice(0, ids.length);
    return ids.map((id, at) => ({
      id: idOf(id),
      name: used[at]!,
      lists: lists[at]!.flatMap((list) => used[list] ?? []),
    }));
  });

function planOf(served: readonly Shape[], files: readonly Shape[], prune: boolean) {
  const stored = served.map(storedOf);
  const { plan, problems } = makePlan(files.map(localOf), { stored, elsewhere: [] }, prune);
  return { plan, problems, ...orderSteps(plan.changes, stored) };
}

const byId = (list: readonly Shape[]): readonly Shape[] => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));

describe('a plan', () => {
  it('is accepted step by step, and makes the server equal to the files', () => {
    let all = 0;
    let ordered = 0;
    fc.assert(
      fc.property(shapes, shapes, (served, files) => {
        const { problems, steps, stuck } = planOf(served, files, true);
        all += 1;
        expect(problems).toEqual([]);
        if (stuck.length > 0) return expect(namesMove(served, files)).toBe(true);
        ordered += 1;
        const server = new ServerModel(served);
        for (const step of steps) server.run(step);
        expect(server.all()).toEqual(byId(files));
        expect(planOf(server.all(), files, true).plan.changes).toEqual([]);
      }),
      { numRuns: 400 }
    );
    expect(ordered / all).toBeGreaterThan(0.25);
  });

  it('for files that keep their names always has an order', () => {
    const renamedNever = fc.tuple(shapes, shapes).map(([served, files]) => {
      const fixed = (list: readonly Shape[]): readonly Shape[] =>
        list.map((shape) => ({
          ...shape,
          name: `q${shape.id.slice(-1)}`,
          lists: shape.lists.map((name) => `q${list.find((each) => each.name === name)!.id.slice(-1)}`),
        }));
      return [fixed(served), fixed(files)] as const;
    });
    fc.assert(
      fc.property(renamedNever, ([served, files]) => {
        expect(planOf(served, files, true).stuck).toEqual([]);
      }),
      { numRuns: 200 }
    );
  });

  it('needs no step in between when an order exists', () => {
    const served = [{ id: idOf(1), name: 'a', lists: [] }];
    const files = [
      { id: idOf(1), name: 'a', lists: ['b'] },
      { id: idOf(2), name: 'b', lists: ['c'] },
      { id: idOf(3), name: 'c', lists: [] },
    ];
    const { steps } = planOf(served, files, false);
    expect(steps.map((step) => (step.kind === 'detach' ? 'detach' : shapeOf(step)!.name))).toEqual(['c', 'b', 'a']);
  });

  it('renames a saved query that others take values from', () => {
    const served = [
      { id: idOf(1), name: 'a', lists: ['b'] },
      { id: idOf(2), name: 'b', lists: [] },
    ];
    const files = [
      { id: idOf(1), name: 'a', lists: ['z'] },
      { id: idOf(2), name: 'z', lists: [] },
    ];
    expect(planOf(served, files, false).steps.map(({ kind }) => kind)).toEqual(['detach', 'update', 'update']);
  });

  it('does not exchange names', () => {
    const [a, b] = [
      { id: idOf(1), name: 'a', lists: [] },
      { id: idOf(2), name: 'b', lists: [] },
    ];
    const { stuck } = planOf(
      [a, b],
      [
        { ...a, name: 'b' },
        { ...b, name: 'a' },
      ],
      false
    );
    expect(stuck).toHaveLength(2);
  });

  it('without prune leaves saved queries without a file, and refuses their names', () => {
    const served = [
      { id: idOf(1), name: 'a', lists: [] },
      { id: idOf(2), name: 'b', lists: [] },
    ];
    const { plan, problems } = planOf(served, [{ id: idOf(3), name: 'b', lists: ['a', 'x'] }], false);
    expect(plan.leftOver.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(problems.map(({ line, column, reason }) => [line, column, reason.slice(0, 40)])).toEqual([
      [2, 7, 'the name "b" is that of the saved query '],
      [8, 13, 'there is no saved query "x"'],
    ]);
  });
});

/** Whether a saved query takes a name that another one has, which may close a circle of names. */
function namesMove(served: readonly Shape[], files: readonly Shape[]): boolean {
  return files.some(({ id, name }) => served.some((other) => other.id !== id && other.name === name));
}
