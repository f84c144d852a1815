/** Facts about stored events are of the sources that are declared now. */
import type { Source } from '#contract/events/source';
import { SourceCheck } from '#server/app/store/source-check';
import { createManualClock } from '../../../support/fakes/clock';

const declared = (...names: string[]): readonly Source[] => names.map((name) => ({ name }) as Source);

function build() {
  const sources = { all: declared('app') };
  let calls = 0;
  const engine = {
    call: async () => {
      calls += 1;
      const { all } = sources;
      await Promise.resolve();
      return { sources: all.map(({ name }) => ({ name })) };
    },
  };
  const check = new SourceCheck(engine as never, createManualClock(), sources);
  const names = async () => (await check.read()).map(({ name }) => name);
  return { sources, names, calls: () => calls };
}

it('all callers within some seconds share one reading', async () => {
  const { names, calls } = build();
  expect(await Promise.all([names(), names()])).toEqual([['app'], ['app']]);
  expect([await names(), calls()]).toEqual([['app'], 1]);
});

it('a source that was just created is read, also while a reading of before has not ended', async () => {
  const { sources, names } = build();
  const before = names();
  sources.all = declared('app', 'shop');
  expect(await names()).toEqual(['app', 'shop']);
  expect(await before).toEqual(['app']);
  expect(await names()).toEqual(['app', 'shop']);
  sources.all = declared('shop');
  expect(await names()).toEqual(['shop']);
});
