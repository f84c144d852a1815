/** An insert is never taken for the only one in its time when another server stored something that is still there. */
import fc from 'fast-check';
import { type BlockSample, ForeignBlocks, type ForeignCount } from '#server/stores/clickhouse/write/foreign-blocks';

interface Block {
  readonly number: number;
  readonly isForeign: boolean;
  readonly mayBeDropped: boolean;
}

/** The table as ClickHouse counts it. */
class Table {
  blocks: Block[] = [];
  private counter = 0;
  private startedAtMs = 0;
  nowMs = 0;

  add(isForeign: boolean, mayBeDropped: boolean): void {
    this.blocks.push({ number: ++this.counter, isForeign, mayBeDropped });
  }

  /** A mutation, or an insert that was dropped because of its token. */
  skipNumber(): void {
    this.counter++;
  }

  dropDay(): void {
    this.blocks = this.blocks.filter(({ mayBeDropped }) => !mayBeDropped);
  }

  restart(): void {
    this.counter = this.lastBlock;
    this.startedAtMs = this.nowMs;
  }

  get lastBlock(): number {
    return this.blocks.at(-1)?.number ?? 0;
  }

  sample(): BlockSample {
    return {
      lastBlock: this.lastBlock,
      uptimeSeconds: Math.floor((this.nowMs - this.startedAtMs) / 1000),
    };
  }
}

interface OwnInsert {
  readonly before: ForeignCount;
  /** Blocks of others when its ids were looked up. */
  readonly seen: ReadonlySet<Block>;
  readonly blocks: number;
  stored: number;
  readonly mayBeDropped: boolean;
  phase: 'looking' | 'storing' | 'sampling' | 'done';
}

interface Step {
  readonly step: string;
  readonly which: number;
}

const insertAlone: readonly Step[] = ['look', 'begin', 'store', 'end', 'sample', 'read', 'answer'].map((step) => ({
  step,
  which: 0,
}));

const anyStep = fc.record({
  step: fc.constantFrom(
    ...['look', 'begin', 'store', 'store', 'end', 'end', 'lose', 'sample', 'read', 'answer', 'foreign'],
    ...['look', 'begin', 'store', 'store', 'end', 'end', 'sample', 'read', 'answer', 'oldForeign'],
    ...['skip', 'drop', 'restart', 'wait']
  ),
  which: fc.nat(5),
});
const history = fc
  .array(fc.oneof({ weight: 5, arbitrary: anyStep.map((step) => [step]) }, fc.constant(insertAlone)), {
    minLength: 5,
    maxLength: 60,
  })
  .map((parts): readonly Step[] => parts.flat());

/** Runs a history. @returns the numbers of inserts that were taken for the only ones, and of all. */
async function run(given: readonly Step[]) {
  const table = new Table();
  const foreign = new ForeignBlocks(() => table.nowMs);
  const inserts: OwnInsert[] = [];
  const samples: { insert: OwnInsert; taken: BlockSample | null; seen: Block[]; answer: () => Promise<void> }[] = [];
  const verdicts: boolean[] = [];
  const others = (): Block[] => table.blocks.filter(({ isForeign }) => isForeign);
  const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];
  const inPhase = (phase: OwnInsert['phase']): OwnInsert[] => inserts.filter((insert) => insert.phase === phase);

  for (const { step, which } of given) {
    table.nowMs += 5;
    const storing = pick(inPhase('storing'), which);
    switch (step) {
      case 'look':
        inserts.push({
          before: foreign.count,
          seen: new Set(others()),
          blocks: 1 + (which % 3),
          stored: 0,
          mayBeDropped: which === 5,
          phase: 'looking',
        });
        break;
      case 'begin': {
        const insert = pick(inPhase('looking'), which);
        if (insert === undefined) break;
        foreign.begin(insert.blocks);
        insert.phase = 'storing';
        break;
      }
      case 'store':
        if (storing === undefined || storing.stored === storing.blocks) break;
        table.add(false, storing.mayBeDropped);
        storing.stored++;
        break;
      case 'end':
      case 'lose': {
        if (storing === undefined) break;
        const areStored = step === 'end' && storing.stored === storing.blocks && !storing.mayBeDropped;
        foreign.end(storing.blocks, areStored);
        storing.phase = 'sampling';
        break;
      }
      case 'sample': {
        const insert = pick(inPhase('sampling'), which);
        if (insert === undefined) break;
        insert.phase = 'done';
        let give: (sample: BlockSample) => void = () => undefined;
        const verdict = foreign.areUnchanged(insert.before, () => new Promise((resolve) => (give = resolve)));
        const entry = {
          insert,
          taken: null as BlockSample | null,
          seen: [] as Block[],
          async answer() {
            give(entry.taken!);
            verdicts.push(await verdict);
            if (verdicts.at(-1)!) {
              const left = new Set(table.blocks);
              expect(entry.seen.filter((block) => !insert.seen.has(block) && left.has(block))).toEqual([]);
            }
          },
        };
        samples.push(entry);
        break;
      }
      case 'read': {
        const entry = pick(
          samples.filter(({ taken }) => taken === null),
          which
        );
        if (entry === undefined) break;
        entry.taken = table.sample();
        entry.seen = others();
        break;
      }
      case 'answer': {
        const entry = pick(
          samples.filter(({ taken }) => taken !== null),
          which
        );
        if (entry === undefined) break;
        samples.splice(samples.indexOf(entry), 1);
        await entry.answer();
        break;
      }
      case 'foreign':
        table.add(true, false);
        break;
      case 'oldForeign':
        table.add(true, true);
        break;
      case 'skip':
        table.skipNumber();
        break;
      case 'drop':
        table.dropDay();
        break;
      case 'restart':
        // What was being asked of it has failed.
        for (const insert of inPhase('storing')) foreign.end(insert.blocks, false);
        for (const insert of inserts) insert.phase = 'done';
        samples.length = 0;
        table.nowMs += 4000;
        table.restart();
        break;
      default:
        table.nowMs += 900 * which;
    }
  }
  return { only: verdicts.filter(Boolean).length, all: verdicts.length };
}

it('no foreign block is overlooked, in any history', async () => {
  let only = 0;
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      only += (await run(given)).only;
    }),
    { numRuns: 4000 }
  );
  expect(only).toBeGreaterThan(100);
});

it('a server alone looks again once, after its start', async () => {
  expect(await run([...insertAlone, ...insertAlone, ...insertAlone])).toEqual({ only: 2, all: 3 });
});

it('a server alone with two inserts at once knows that it is alone', async () => {
  const both = ['look', 'look', 'begin', 'begin', 'store', 'end', 'sample', 'read', 'answer', 'store', 'end'];
  const pair = [...both, 'sample', 'read', 'answer'].map((step) => ({ step, which: 0 }));
  expect(await run([...insertAlone, ...pair, ...pair])).toEqual({ only: 4, all: 5 });
});

it.each(['foreign', 'skip', 'restart'])('%s between two inserts makes the next one look again', async (step) => {
  const { only } = await run([...insertAlone, { step, which: 0 }, ...insertAlone, ...insertAlone]);
  expect(only).toBe(1);
});

const stepsOf = (text: string): readonly Step[] =>
  text.split(' ').map((word) => ({ step: word.replace(/\d/, ''), which: Number(/\d/.exec(word)?.[0] ?? 0) }));

it.each([
  ['that ends during a sample', 'look look begin begin store end sample foreign read store end answer'],
  [
    'that is stored, but has not ended, during a sample',
    'look look begin begin store0 store1 end sample read answer end look foreign begin store end sample1 read answer',
  ],
])('another own insert %s does not hide a foreign block', async (_, text) => {
  expect(await run([...insertAlone, ...stepsOf(text)])).toMatchObject({ only: 0 });
});
