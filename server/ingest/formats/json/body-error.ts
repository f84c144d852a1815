/** Syntax errors of request bodies, as callers get them. */
import { ServiceError } from '#contract/errors';
import { JsonSyntaxError } from '../../../common/json/json-lexer';

/** Bytes in which positions are counted before a turn ends. */
const TURN_BYTES = 256 * 1024;

interface Position {
  readonly line: number;
  /** In UTF-16 units. */
  readonly column: number;
}

/** Converts a syntax error to the caller's error, with its position in the body. Null is a turn for other work. */
export function* asBodyError(error: unknown, body: Buffer): Generator<null, unknown> {
  if (!(error instanceof JsonSyntaxError)) return error;
  const position = yield* positionOf(body, error.offset);
  return new ServiceError('body_invalid', `The request body is not the expected JSON: ${error.message}.`, {
    reason: 'bad_json',
    position,
  });
}

/** Counts byte by byte: functions that search or decode the text before the error take 50 ms for 60 MB at a time. */
function* positionOf(body: Buffer, offset: number): Generator<null, Position> {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset;) {
    for (const end = Math.min(offset, at + TURN_BYTES); at < end; at++) {
      const byte = body[at]!;
      if (byte === 0x0a) {
        line++;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1;
    }
    yield null;
  }
  return { line, column };
}
