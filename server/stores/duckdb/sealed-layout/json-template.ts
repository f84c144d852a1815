/**
 * Templates of JSON texts: which keys follow each other in which record, and which column has the value of each. The
 * texts of most sources have one to four of them, since keys that are sometimes absent need none of their own.
 */
import type { PhysicalType } from '#compiler/store';
import type { Pause } from '../file/work-pauses';
import { countKeys, pointedKeys, type RecordShape, shapeKey, shapeOfText, type ValueShape } from './json-shape';

/** What the text has where there is no value: `never`: there was one in each text of the sample. */
export type Missing = 'never' | 'absent' | 'null';

export interface RecordNode {
  readonly kind: 'record';
  missing: Missing;
  /** Column that is true where the record is present; null for the whole text. */
  readonly presence: string | null;
  /** In the order of the text. */
  readonly keys: string[];
  readonly children: Map<string, TemplateNode>;
  /** Number of shapes with the record. */
  seen: number;
}

export interface ColumnNode {
  readonly kind: 'column';
  missing: Missing;
  readonly column: string;
  readonly type: PhysicalType;
  /** How the text has the values of a column of texts; null: nothing but null was seen. */
  form: 'text' | 'escaped' | 'bare' | null;
}

/** A value without a column, which is kept as JSON text; or null in each text. */
export interface RestNode {
  readonly kind: 'rest' | 'null';
  missing: Missing;
  readonly path: readonly string[];
}

export type TemplateNode = RecordNode | ColumnNode | RestNode;

export interface Template {
  readonly root: RecordNode;
  /** Keys, as JSON texts, of fractions that have a point where they are whole numbers. */
  readonly pointed: ReadonlySet<string>;
}

/** Column of a field in the rows that are written; null: it has none. */
export type FindColumn = (
  path: readonly string[]
) => { readonly kind: 'record' | 'leaf'; readonly column: string; readonly type: PhysicalType } | null;

const MAX_TEMPLATES = 4;
const MAX_SHAPES = 256;
/** Bounds the time to plan a query that reads the text. */
const MAX_NODES = 600;
/**
 * Values without a column, each of which DuckDB (1.5.6) parses the short texts of 2,048 rows for. With 60 of them it
 * takes more than 512 MiB to read the texts of a day.
 */
const MAX_REST_NODES = 16;
/** Texts of fewer of the sample are kept whole. */
const WORTHWHILE_SHARE = 0.02;

/**
 * @param texts a sample of a day @param pause called between short pieces of work
 * @returns templates that most of the sample fit, the most frequent first
 */
export async function findTemplates(
  texts: readonly string[],
  findColumn: FindColumn,
  pause: Pause
): Promise<readonly Template[]> {
  const templates: Template[] = [];
  const { shapes, pointed } = await readShapes(texts, pause);
  let rest = shapes;
  while (templates.length < MAX_TEMPLATES && sumOf(rest) > texts.length * WORTHWHILE_SHARE) {
    const { root, others } = await mergeShapes(rest, findColumn, pause);
    if (root === null) break;
    templates.push({ root, pointed });
    rest = others;
  }
  return templates;
}

interface CountedShape {
  readonly shape: RecordShape;
  count: number;
}

interface TextShapes extends Pick<Template, 'pointed'> {
  /** The most frequent first. */
  readonly shapes: readonly CountedShape[];
}

async function readShapes(texts: readonly string[], pause: Pause): Promise<TextShapes> {
  const counted = new Map<string, CountedShape>();
  const pointed = new Set<string>();
  for (const text of texts) {
    await pause();
    for (const key of pointedKeys(text)) pointed.add(key);
    const shape = shapeOfText(text);
    if (shape === null || countKeys(shape) >= MAX_NODES) continue;
    const key = shapeKey(shape);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { shape, count: 1 });
    else known.count++;
  }
  const shapes = [...counted.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SHAPES);
  return { shapes, pointed };
}

function sumOf(shapes: readonly CountedShape[]): number {
  return shapes.reduce((sum, { count }) => sum + count, 0);
}

/** @returns a template of as many shapes as fit together, and those that do not */
async function mergeShapes(
  shapes: readonly CountedShape[],
  findColumn: FindColumn,
  pause: Pause
): Promise<{ readonly root: RecordNode | null; readonly others: readonly CountedShape[] }> {
  let root: RecordNode | null = null;
  const others: CountedShape[] = [];
  // The shape with the most keys first: it says where the others have their keys.
  const [first, ...following] = [...shapes].sort((a, b) => countKeys(b.shape) - countKeys(a.shape));
  for (const shape of first === undefined ? [] : [first, ...following]) {
    await pause();
    const merged: RecordNode = root === null ? newRecord(null, 'never') : copyRecord(root);
    const fits = mergeRecord(merged, shape.shape, [], findColumn) && isSmall(merged);
    if (fits) root = merged;
    else others.push(shape);
  }
  return { root, others };
}

function copyRecord(record: RecordNode): RecordNode {
  const children = [...record.children].map(([key, child]): [string, TemplateNode] => [
    key,
    child.kind === 'record' ? copyRecord(child) : { ...child },
  ]);
  return { ...record, keys: [...record.keys], children: new Map(children) };
}

function isSmall(root: RecordNode): boolean {
  return countNodes(root) <= MAX_NODES && [...restPaths(root)].length <= MAX_REST_NODES;
}

function countNodes(node: TemplateNode): number {
  if (node.kind !== 'record') return 1;
  return [...node.children.values()].reduce((sum, child) => sum + countNodes(child), 1);
}

function newRecord(presence: string | null, missing: Missing): RecordNode {
  return { kind: 'record', missing, presence, keys: [], children: new Map(), seen: 0 };
}

/** @returns false when the shape does not fit; the record is of no use then */
function mergeRecord(record: RecordNode, shape: RecordShape, path: readonly string[], findColumn: FindColumn): boolean {
  let last = -1;
  for (const [key, value] of shape) {
    const childPath = [...path, key];
    let place = record.keys.indexOf(key);
    if (place === -1) {
      const missing = record.seen > 0 ? 'absent' : 'never';
      const child = newNode(value, childPath, missing, findColumn);
      if (child === null) return false;
      place = last + 1;
      record.keys.splice(place, 0, key);
      record.children.set(key, child);
    } else if (place <= last) {
      return false;
    }
    last = place;
    if (!mergeValue(record.children.get(key)!, value, childPath, findColumn)) return false;
  }
  for (const [key, child] of record.children) {
    if (shape.has(key)) continue;
    if (child.missing === 'null') return false;
    child.missing = 'absent';
  }
  record.seen++;
  return true;
}

function newNode(
  value: ValueShape,
  path: readonly string[],
  missing: Missing,
  findColumn: FindColumn
): TemplateNode | null {
  const found = findColumn(path);
  if (found === null) return { kind: value === 'null' ? 'null' : 'rest', missing, path };
  const { kind, column, type } = found;
  if (value !== 'null' && (typeof value === 'string') !== (kind === 'leaf')) return null;
  return kind === 'record' ? newRecord(column, missing) : { kind: 'column', missing, column, type, form: null };
}

function mergeValue(node: TemplateNode, value: ValueShape, path: readonly string[], findColumn: FindColumn): boolean {
  if (value === 'null') {
    if (node.missing === 'absent' || node.kind === 'rest') return false;
    node.missing = 'null';
    return true;
  }
  switch (node.kind) {
    case 'record':
      return typeof value !== 'string' && mergeRecord(node, value, path, findColumn);
    case 'column':
      return typeof value === 'string' && mergeForm(node, value);
    case 'rest':
      return true;
    case 'null':
      return false;
  }
}

/** Texts that need escapes and others fit together; numbers in a column of texts are without quotes. */
function mergeForm(node: ColumnNode, value: 'text' | 'escaped' | 'value'): boolean {
  const form = value === 'value' ? 'bare' : value;
  const isBare = form === 'bare';
  if (node.form !== null && (node.form === 'bare') !== isBare) return false;
  if (node.form !== 'escaped') node.form = form;
  return true;
}

/** Paths of nodes with a column. */
export function* columnPaths(node: TemplateNode, path: readonly string[] = []): Generator<readonly string[]> {
  if (node.kind === 'rest' || node.kind === 'null') return;
  if (path.length > 0) yield path;
  if (node.kind === 'record') for (const [key, child] of node.children) yield* columnPaths(child, [...path, key]);
}

/** Paths of values that are kept as JSON text. */
export function* restPaths(node: TemplateNode): Generator<readonly string[]> {
  if (node.kind === 'rest') yield node.path;
  if (node.kind === 'record') for (const child of node.children.values()) yield* restPaths(child);
}
