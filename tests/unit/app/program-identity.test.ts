import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programIdentity } from '#server/app/program-identity';
import { VERSION } from '#server/common/version';

const folder = mkdtempSync(join(tmpdir(), 'lqe-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('equal programs have one identity, and other builds of a version another', () => {
  const [one, same, other] = ['1', '1', '2'].map((text, n) => {
    const file = join(folder, `${n}.js`);
    writeFileSync(file, text);
    return programIdentity(file);
  });
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  expect(one!.startsWith(`${VERSION} `)).toBe(true);
});

it('without a program in one file, the version counts', () => {
  expect(programIdentity(join(folder, 'missing.js'))).toBe(VERSION);
});
