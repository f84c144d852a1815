import { PartVersions } from '#server/stores/duckdb/tables/part-versions';

describe('versions of tables', () => {
  test('a table keeps its version until it changes', () => {
    const versions = new PartVersions();
    expect(versions.of('a')).toBe(versions.of('a'));
    expect(versions.of('b')).not.toBe(versions.of('a'));
  });

  test('a table that is being changed has no version, and a new one afterwards', async () => {
    const versions = new PartVersions();
    const [before, other] = [versions.of('a'), versions.of('b')];
    const during = await versions.changing(['a'], () => Promise.resolve([versions.of('a'), versions.of('b')]));
    expect(during).toEqual([null, other]);
    expect(versions.of('a')).toBeGreaterThan(before!);
    expect(versions.of('b')).toBe(other);
  });

  test('a failed change gives a new version, since it may have taken place', async () => {
    const versions = new PartVersions();
    const before = versions.of('a');
    await expect(versions.changing(['a'], () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(versions.of('a')).toBeGreaterThan(before!);
  });

  test('a table has no version until the last of two changes has ended', async () => {
    const versions = new PartVersions();
    await versions.changing(['a'], async () => {
      await versions.changing(['a'], () => Promise.resolve());
      expect(versions.of('a')).toBeNull();
    });
    expect(versions.of('a')).not.toBeNull();
  });

  test('a table that was dropped and created again has another version', () => {
    const versions = new PartVersions();
    const before = versions.of('a');
    versions.forget('a');
    expect(versions.of('a')).not.toBe(before);
  });
});
