/** Parses the part after the colon of `f:table` and `s:path@alias`. */
import type { Identifier } from '../../ast';
import { lqlError } from '../errors';
import type { FromRule, SelectRule } from '../rules';
import { readPath } from './read-path';
import type { Reader } from './reader';

const TABLE = /[\p{L}_][\p{L}\p{M}\p{N}_]{0,254}/uy;
const ALIAS = /[A-Za-z_][A-Za-z0-9_]*/y;

export function readFrom(reader: Reader, start: number): FromRule {
  const at = reader.offset;
  const name = reader.quoted() ?? reader.match(TABLE)?.[0] ?? '';
  if (name === '' || !reader.atBoundary) {
    const rest = reader.position(at, at + Math.max(1, reader.offset - at + reader.plain().length));
    throw lqlError('bad_value', 'expected the name of a table after "f:"', rest, {
      hint: 'put quotes round a name with other characters than letters, digits and "_"',
    });
  }
  return { name: { name, quoted: true, position: reader.position(at) }, position: reader.position(start) };
}

export function readSelect(reader: Reader, start: number): SelectRule {
  const at = reader.offset;
  const path = reader.accept('*') ? null : readSelectPath(reader);
  const alias = reader.accept('@') ? readAlias(reader) : null;
  if (!reader.atBoundary) throw badPath(reader, at);
  if (alias !== null && path === null) {
    throw lqlError('bad_alias', '"*" takes no alias', alias.position);
  }
  const isTime = path?.parts.length === 1 && path.parts[0]?.name === 'timestamp';
  if (alias?.name === 'timestamp' && !isTime) {
    throw lqlError('bad_alias', 'only the column "timestamp" can be named "timestamp"', alias.position);
  }
  return { path, alias, position: reader.position(start) };
}

function readSelectPath(reader: Reader) {
  const at = reader.offset;
  const path = readPath(reader, true);
  if (path === null) throw badPath(reader, at);
  return path;
}

function readAlias(reader: Reader): Identifier {
  const start = reader.offset;
  const name = reader.match(ALIAS)?.[0];
  if (name === undefined || !reader.atBoundary) {
    throw lqlError('bad_alias', 'expected an alias after "@"', reader.position(start - 1), {
      hint: 'an alias is letters, digits and "_", and does not begin with a digit',
    });
  }
  return { name, quoted: true, position: reader.position(start) };
}

function badPath(reader: Reader, start: number): Error {
  reader.offset = start;
  const text = reader.match(/[^\p{White_Space}]+/uy)?.[0] ?? '';
  const position = reader.position(start, Math.max(start + 1, reader.offset));
  const hint = text.includes(',')
    ? `write one clause for each column: ${text
        .split(',')
        .slice(0, 3)
        .map((part) => `s:${part}`)
        .join(' ')}`
    : 'a path is names joined by dots; put quotes round a field with other characters: m."user-agent"';
  return lqlError('bad_path', text === '' ? 'expected a column after "s:"' : `"${text}" is not a column`, position, {
    hint,
  });
}
