/** Reads the source that a body itself names, as senders of an older service do. */
import { decodeJsonString } from '../../../common/json/json-tree';
import { JsonSyntaxError } from '../../../common/json/json-lexer';
import { JsonWalk } from './json-walk';

/** Names of the source in a request, beside the events of a batch, and in a single event. */
export const SOURCE_KEYS: readonly string[] = ['source', 'source_name', 'collection_name'];

const MAX_NAME_BYTES = 256;

/**
 * The source in a body that is one object: an event, or an envelope of a batch. Null is a turn for other work.
 * @returns null when the body names none, or is anything else
 */
export function* readBodySource(body: Buffer): Generator<null, string | null> {
  const walk = new JsonWalk(body);
  let name: string | null = null;
  try {
    yield* walk.passBlanks();
    if (walk.peek() !== 0x7b) return null;
    for (let key = yield* walk.openObject(); key !== null; key = yield* walk.nextKey()) {
      const part = walk.pass() ?? (yield* walk.passLarge());
      if (SOURCE_KEYS.includes(key)) name ??= textAt(body, part.start, part.end);
    }
    yield* walk.passBlanks();
    walk.ensureEnd();
    return name;
  } catch (error) {
    // Errors of the body are reported where it is split.
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

function textAt(body: Buffer, start: number, end: number): string | null {
  if (body[start] !== 0x22 || end - start > MAX_NAME_BYTES) return null;
  return decodeJsonString(body, start, end) || null;
}
