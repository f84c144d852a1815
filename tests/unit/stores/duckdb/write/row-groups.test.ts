import fc from 'fast-check';
import { ROW_GROUP_ROWS } from '#server/stores/duckdb/file/database';
import { RowGroups } from '#server/stores/duckdb/write/row-groups';

const FULL = ROW_GROUP_ROWS;

test('the room is what the last row group lacks', () => {
  const groups = new RowGroups();
  expect(groups.room('t')).toBe(FULL);
  groups.add('t', 100);
  groups.add('other', 5);
  expect(groups.openRows).toBe(105);
  groups.committed();
  expect(groups.openRows).toBe(0);
  expect(groups.room('t')).toBe(FULL - 100);
  expect(groups.room('other')).toBe(FULL - 5);
});

test('rows that were rolled back take no room', () => {
  const groups = new RowGroups();
  groups.add('t', 100);
  groups.rolledBack();
  expect(groups.room('t')).toBe(FULL);
});

test('the first rows of a table, full row groups and checkpoints are followed by a new row group', () => {
  const groups = new RowGroups();
  groups.create('t');
  groups.add('t', 100);
  groups.committed();
  expect(groups.room('t')).toBe(FULL);
  groups.add('t', FULL);
  groups.committed();
  expect(groups.room('t')).toBe(FULL);
  groups.add('t', 1);
  groups.committed();
  groups.checkpointed();
  expect(groups.room('t')).toBe(FULL);
});

test('for any commits, rows are added up to a full row group', () => {
  const sizes = fc.array(fc.record({ rows: fc.integer({ min: 1, max: 3 * FULL }), commits: fc.boolean() }));
  fc.assert(
    fc.property(sizes, (batches) => {
      const groups = new RowGroups();
      let total = 0;
      for (const { rows, commits } of batches) {
        for (let rest = rows; rest > 0;) {
          const slice = Math.min(rest, groups.room('t'));
          groups.add('t', slice);
          rest -= slice;
          total += slice;
          if (groups.room('t') === 0) groups.committed();
          expect(groups.room('t')).toBe(FULL - (total % FULL));
        }
        if (commits) groups.committed();
      }
    })
  );
});
