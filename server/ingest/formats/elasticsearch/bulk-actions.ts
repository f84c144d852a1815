/**
 * Finds the actions of a bulk request: a line with the action, and, except for `delete`, a line with the document. What
 * follows a broken action line is unknown, so it makes the whole request invalid; a broken document affects
 * only itself.
 */
import { ServiceError } from '#contract/errors';
import { readObject } from '../documents/read-object';
import { Token } from '../../../common/json/json-token';
import type { JsonNode } from '../../../common/json/json-tree';
import { RecordRefusal } from '../record-refusal';
import { textOf } from '../events/sent-event';
import { tooManyEvents } from '../slice-list';

const BULK_ACTIONS = ['create', 'index', 'update', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export interface BulkItem {
  readonly action: BulkAction;
  /** Null: neither the action nor the path names one. */
  readonly index: string | null;
  readonly id: string | null;
  /** Position of the document; null: no document. */
  readonly document: { readonly start: number; readonly end: number } | null;
}

/** Longer lines are no actions: the largest of its members is an id of 512 bytes. */
const MAX_ACTION_BYTES = 16_384;
/** Lines that are read between two turns. */
const TURN_LINES = 64;

/**
 * @param defaultIndex index of the path
 * @returns items of the request, after null for each turn
 * @throws ServiceError `body_invalid` with the line, `body_too_large` with the number of actions
 */
export function* findActions(
  body: Buffer,
  defaultIndex: string | null,
  maxItems: number
): Generator<null, readonly BulkItem[]> {
  const lines = new LineReader(body);
  const items: BulkItem[] = [];
  let count = 0;
  while (lines.next()) {
    if (lines.line % TURN_LINES < 2) yield null;
    if (lines.isBlank) continue;
    const { line, start, end } = lines;
    // Beyond the limit, actions are only counted.
    if (++count > maxItems) {
      if (!startsWithDelete(body, start)) lines.next();
      continue;
    }
    const item = readAction(body, start, end, line);
    const hasDocument = item.action !== 'delete' && lines.next();
    const document = hasDocument ? { start: lines.start, end: lines.end } : null;
    items.push({ ...item, index: item.index ?? defaultIndex, document });
  }
  if (count > maxItems) throw tooManyEvents(maxItems, count);
  return items;
}

class LineReader {
  private readonly body: Buffer;
  private at = 0;
  /** Number of the current line, from 1. */
  line = 0;
  start = 0;
  end = 0;

  constructor(body: Buffer) {
    this.body = body;
    if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) this.at = 3;
  }

  /** @returns false at the end of the body */
  next(): boolean {
    const { body } = this;
    if (this.at >= body.length) return false;
    const newline = body.indexOf(0x0a, this.at);
    this.start = this.at;
    this.end = newline < 0 ? body.length : newline;
    this.at = this.end + 1;
    this.line++;
    if (this.end > this.start && body[this.end - 1] === 0x0d) this.end--;
    return true;
  }

  get isBlank(): boolean {
    return this.start === this.end;
  }
}

function startsWithDelete(body: Buffer, start: number): boolean {
  return /^\s*\{\s*"delete"/.test(body.toString('latin1', start, start + 32));
}

function readAction(body: Buffer, start: number, end: number, line: number): Omit<BulkItem, 'document'> {
  if (end - start > MAX_ACTION_BYTES) throw badAction(line, `it has more than ${MAX_ACTION_BYTES} bytes`);
  const object = readObject(body, start, end);
  if (object instanceof RecordRefusal) throw badAction(line, 'it is not a JSON object');
  const [found, ...others] = object.members;
  const action = BULK_ACTIONS.find((name) => name === found?.[0]);
  // winston-elasticsearch writes the number of its attempts behind the action.
  if (action === undefined || others.some(([, { token }]) => token === Token.object || token === Token.array))
    throw badAction(
      line,
      `it must begin with one of ${BULK_ACTIONS.map((name) => `"${name}"`).join(', ')}, and have no other`
    );
  const facts = found![1];
  if (facts.token !== Token.object) throw badAction(line, `"${action}" must be an object`);
  return { action, index: textOf(facts.members.get('_index')), id: idOf(facts.members.get('_id')) };
}

/** Numbers are ids, too. */
function idOf(node: JsonNode | undefined): string | null {
  return node?.token === Token.integer ? node.text : textOf(node);
}

function badAction(line: number, why: string): ServiceError {
  return new ServiceError('body_invalid', `Line ${line} is not an action: ${why}.`, {
    reason: 'bad_action',
    position: { line, column: 1 },
    hint: 'each document stands on one line, behind a line with its action such as {"create":{"_index":"edge_requests"}}',
  });
}
