/** Identity of the program that makes results. Servers share results only when it is equal. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../common/caught-error';
import { VERSION } from '../common/version';

/** The engine's program, seen from the server's, both in one file each. */
const ENGINE = join(__dirname, '..', 'process', 'main.bundle.js');

/**
 * Two builds of one version may make other rows of a request, or redact them in another way.
 * @param engine the engine's program. Where it is not in one file, as in tests of a module, only the version counts.
 * @throws the errors of reading
 */
export function programIdentity(engine = ENGINE): string {
  try {
    return `${VERSION} ${createHash('sha256').update(readFileSync(engine)).digest('base64url')}`;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return VERSION;
  }
}
