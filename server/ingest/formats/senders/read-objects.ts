/**
 * Objects of a JSON body as trees: one object, an array, `{"batch":[..]}`, or one object per line. What is wrong with
 * one of them leaves the others.
 */
import { JsonSyntaxError } from '../../../common/json/json-lexer';
import { Token } from '../../../common/json/json-token';
import type { JsonObject } from '../../../common/json/json-tree';
import { JsonWalk } from '../json/json-walk';
import { orRefusal, RecordRefusal, tooLarge } from '../record-refusal';
import type { BodySlice } from '../slice-list';
import { isBlank, splitBody } from '../json/split-body';

/**
 * Null is a turn for other work.
 * @param maxValues of an object; with more, it is refused
 * @throws ServiceError `body_invalid`, `body_too_large`
 */
export function* readObjects(
  body: Buffer,
  maxEvents: number,
  maxValues: number
): Generator<JsonObject | RecordRefusal | null, void> {
  const { slices, oversized } = yield* splitBody(body, maxEvents);
  let index = 0;
  const isOversized = new Set(oversized);
  const passOversized = function* (): Generator<RecordRefusal, void> {
    for (; isOversized.has(index); index++) yield tooLarge();
  };
  for (const slice of slices) {
    yield* passOversized();
    for (const object of slice.form === 'lines' ? readLines(slice, maxValues) : readItems(slice, maxValues)) {
      yield object;
      index++;
    }
  }
  yield* passOversized();
}

type Objects = Generator<JsonObject | RecordRefusal, void>;

/** Items have been checked when they were separated. */
function* readItems({ bytes }: BodySlice, maxValues: number): Objects {
  const walk = new JsonWalk(bytes);
  do yield orRefusal(() => readObject(walk, maxValues));
  while (walk.nextOfBare());
}

function* readLines({ bytes }: BodySlice, maxValues: number): Objects {
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    start = end + 1;
    // The same lines as those that were counted, so that indexes agree: one of a byte order mark only is an entry.
    if (!line.every(isBlank)) yield orRefusal(() => readLine(new JsonWalk(line), maxValues));
  }
}

function readLine(walk: JsonWalk, maxValues: number): JsonObject {
  try {
    const object = readObject(walk, maxValues);
    walk.ensureEnd();
    return object;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new RecordRefusal('bad_json', `${error.message} at byte ${error.offset + 1} of the line`);
  }
}

/** @throws RecordRefusal, JsonSyntaxError */
function readObject(walk: JsonWalk, maxValues: number): JsonObject {
  const part = walk.pass(maxValues);
  if (part === null) throw tooLarge();
  const node = walk.tree(part);
  if (node.token !== Token.object) throw new RecordRefusal('not_an_object', 'an entry must be a JSON object');
  return node;
}
