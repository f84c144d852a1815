/** Where the control socket is, for any user that a container may run as. */
import { rmSync, statSync } from 'node:fs';
import os from 'node:os';
import { dirname } from 'node:path';
import { controlSocketPath, ensureSocketFolder } from '#server/app/control/socket-path';

afterEach(() => jest.restoreAllMocks());

it.each([
  ['a short', '/data'],
  ['a long', `/${'d'.repeat(120)}`],
])('a user without an entry in /etc/passwd has a socket for %s data folder', (_length, dataDir) => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  ensureSocketFolder(dataDir);
  expect(Buffer.byteLength(controlSocketPath(dataDir))).toBeLessThanOrEqual(100);
});

it('the folder of sockets with short paths is private', () => {
  const dataDir = `/${'d'.repeat(120)}`;
  // Of a user that no test runs as.
  jest.spyOn(process, 'geteuid' as never).mockReturnValue(4_000_000 as never);
  const folder = dirname(controlSocketPath(dataDir));
  try {
    expect(() => ensureSocketFolder(dataDir)).toThrow('is not a private folder of this user');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
