/**
 * Columns of a sealed table. What other columns say is not stored but computed where it is read, by generated columns:
 * statements name the same columns as in an open part. Names that begin with `lqe:` are of this layout alone.
 */
import { isNativeError } from 'node:util/types';
import type { Composition, PhysicalType } from '#compiler/store';
import { columnDefinition } from '../tables/column-definition';
import { duckDbType } from '../tables/column-types';
import { MESSAGE_COLUMN, METADATA_COLUMN } from '../tables/stored-columns';
import { jsonPointer } from '../../../common/json/json-pointer';
import { HIDDEN_PREFIX, type Part } from '../tables/part';
import { quoteName, quotePart, quoteText } from '../tables/quoting';
import { printComposition } from './composed-text';
import { type DerivedColumn, printDerived } from './derived-columns';
import { restPaths, type Template } from './json-template';
import { printTemplate } from './print-template';

/** JSON text of the values of the metadata that no column has; the whole text of a row that fits no template. */
export const REST_COLUMN = `${HIDDEN_PREFIX}rest`;
/** Number of the template that builds the text of the metadata, from 1; 0: none does. */
const TEMPLATE_COLUMN = `${HIDDEN_PREFIX}template`;
/** Values of the rest while rows are written. */
const VALUES_COLUMN = `${HIDDEN_PREFIX}values`;
const UUID_COLUMN = `${HIDDEN_PREFIX}uuid`;
/** Ids that are no UUID, or written in another way. */
const ID_COLUMN = `${HIDDEN_PREFIX}id`;
/** Messages that are composed in another way. */
export const OTHER_MESSAGE_COLUMN = `${HIDDEN_PREFIX}message`;

export interface SealedLayout {
  readonly columns: ReadonlyMap<string, PhysicalType>;
  readonly templates: readonly Template[];
  readonly derived: readonly DerivedColumn[];
  /** How most messages are composed; null: they are stored. No row is without a message otherwise. */
  readonly message: Composition | null;
  readonly hasUuids: boolean;
}

/** Every column of the table, in its order. */
export function printDefinitions(layout: SealedLayout): string {
  const { columns, templates, derived, message, hasUuids } = layout;
  const definitions = [...columns].map(([name, type]) => {
    const other = derived.find((column) => column.name === name);
    if (other !== undefined) return printGenerated(name, type, printDerived(other));
    if (name === 'id' && hasUuids) return printUuidColumns();
    if (name === MESSAGE_COLUMN && message !== null) return printMessageColumns(message);
    if (name === METADATA_COLUMN && templates.length > 0) return printTextColumns(templates);
    return columnDefinition(name, type);
  });
  return definitions.join(', ');
}

/**
 * Prints the statement that stores rows.
 * @param rows a select of all columns of the layout @param order columns that the rows are ordered by
 * @returns a statement that fails when a derived column differs from its computed value, or a composed message is
 * absent
 */
export function printLayoutInsert(target: Part, layout: SealedLayout, rows: string, order: readonly string[]): string {
  const { columns, templates, derived, message, hasUuids } = layout;
  const stored: [name: string, value: string][] = [];
  for (const name of columns.keys()) {
    if (derived.some((column) => column.name === name)) continue;
    if (name === 'id' && hasUuids) stored.push(...uuidValues());
    else if (name === MESSAGE_COLUMN && message !== null) stored.push(otherMessage(message));
    else if (name !== METADATA_COLUMN || templates.length === 0) stored.push([name, quoteName(name)]);
  }
  if (templates.length > 0) stored.push(...textValues());
  const names = stored.map(([name]) => quoteName(name)).join(', ');
  const values = stored.map(([, value]) => value).join(', ');
  const from = templates.length > 0 ? withTemplates(rows, templates) : rows;
  const items = order.map(quoteName).join(', ');
  return `INSERT INTO ${quotePart(target)} (${names}) SELECT ${values} FROM (${from})${printCheck(layout)} ORDER BY ${items}`;
}

/** Condition that rows of a layout with composed messages fulfill. */
export const HAS_MESSAGE = `${quoteName(MESSAGE_COLUMN)} IS NOT NULL`;

const NOT_DERIVED = 'a derived column has another value';

/** True for a failure of an insert because a row does not fit the layout. */
export function isNotDerived(error: unknown): boolean {
  return isNativeError(error) && error.message.includes(NOT_DERIVED);
}

function printCheck({ derived, message }: SealedLayout): string {
  const tests = derived.map((column) => printTest(column));
  if (message !== null) tests.push(HAS_MESSAGE);
  if (tests.length === 0) return '';
  return ` WHERE CASE WHEN ${tests.join(' AND ')} THEN TRUE ELSE error(${quoteText(NOT_DERIVED)}) END`;
}

/** Condition that is true where the column has the computed value. */
export function printTest(column: DerivedColumn): string {
  return `${quoteName(column.name)} IS NOT DISTINCT FROM ${printDerived(column)}`;
}

function printGenerated(name: string, type: PhysicalType, value: string): string {
  return `${quoteName(name)} ${duckDbType(type)} GENERATED ALWAYS AS (${value}) VIRTUAL`;
}

function printUuidColumns(): string {
  const value = `coalesce(${quoteName(ID_COLUMN)}, CAST(${quoteName(UUID_COLUMN)} AS VARCHAR))`;
  return `${quoteName(UUID_COLUMN)} UUID, ${columnDefinition(ID_COLUMN, 'STRING')}, ${printGenerated('id', 'STRING', value)}`;
}

function uuidValues(): [string, string][] {
  const uuid = 'TRY_CAST(id AS UUID)';
  const isSame = `CAST(${uuid} AS VARCHAR) IS NOT DISTINCT FROM id`;
  return [
    [UUID_COLUMN, `CASE WHEN ${isSame} THEN ${uuid} END`],
    [ID_COLUMN, `CASE WHEN ${isSame} THEN NULL ELSE id END`],
  ];
}

function printMessageColumns(message: Composition): string {
  const value = `coalesce(${quoteName(OTHER_MESSAGE_COLUMN)}, ${printComposition(message)})`;
  return `${columnDefinition(OTHER_MESSAGE_COLUMN, 'STRING')}, ${printGenerated(MESSAGE_COLUMN, 'STRING', value)}`;
}

function otherMessage(message: Composition): [string, string] {
  const name = quoteName(MESSAGE_COLUMN);
  return [OTHER_MESSAGE_COLUMN, `CASE WHEN ${name} = ${printComposition(message)} THEN NULL ELSE ${name} END`];
}

function printTextColumns(templates: readonly Template[]): string {
  const texts = templates.map((template, i) => `WHEN ${i + 1} THEN ${printTemplate(template, REST_COLUMN)}`);
  const value = `CASE ${quoteName(TEMPLATE_COLUMN)} ${texts.join(' ')} ELSE ${quoteName(REST_COLUMN)} END`;
  return [
    `${quoteName(TEMPLATE_COLUMN)} UTINYINT`,
    columnDefinition(REST_COLUMN, 'STRING'),
    printGenerated(METADATA_COLUMN, 'STRING', value),
  ].join(', ');
}

function textValues(): [string, string][] {
  const [template, rest, text] = [TEMPLATE_COLUMN, REST_COLUMN, METADATA_COLUMN].map(quoteName);
  return [
    [TEMPLATE_COLUMN, template!],
    [REST_COLUMN, `CASE WHEN ${template} = 0 THEN ${text} ELSE ${rest} END`],
  ];
}

/** Adds the rest and the number of the template to rows. */
function withTemplates(rows: string, templates: readonly Template[]): string {
  const [template, rest, text] = [TEMPLATE_COLUMN, REST_COLUMN, METADATA_COLUMN].map(quoteName);
  const tests = templates.map((each, i) => `WHEN ${printTemplate(each, REST_COLUMN)} = ${text} THEN ${i + 1}`);
  return `SELECT *, CASE ${tests.join(' ')} ELSE 0 END AS ${template} FROM (${withRest(rows, templates, rest!)})`;
}

/** Adds a JSON object with the values that no column has, at their paths; `{}` without such values. */
function withRest(rows: string, templates: readonly Template[], rest: string): string {
  const paths = new Map(templates.flatMap(({ root }) => [...restPaths(root)]).map((path) => [jsonPointer(path), path]));
  if (paths.size === 0) return `SELECT *, '{}' AS ${rest} FROM (${rows})`;
  const [values, text] = [VALUES_COLUMN, METADATA_COLUMN].map(quoteName);
  const pointers = [...paths.keys()].map(quoteText).join(', ');
  // All at once: DuckDB (1.5.6) parses the text for each call, and keeps what it has parsed of 2,048 rows.
  const extracted = `SELECT *, json_extract(${text}, [${pointers}]) AS ${values} FROM (${rows})`;
  const isEmpty = [...paths.keys()].map((_, i) => `${values}[${i + 1}] IS NULL`).join(' AND ');
  const object = `CAST(to_json(${printStruct(nest([...paths.values()]))}) AS VARCHAR)`;
  return `SELECT *, CASE WHEN ${isEmpty} THEN '{}' ELSE ${object} END AS ${rest} FROM (${extracted})`;
}

interface Nested {
  readonly children: Map<string, Nested>;
  /** Number of the value, from 1; null for a record of values. */
  value: number | null;
}

function nest(paths: readonly (readonly string[])[]): Nested {
  const root: Nested = { children: new Map(), value: null };
  for (const [index, path] of paths.entries()) {
    let node = root;
    for (const key of path) {
      let child = node.children.get(key);
      if (child === undefined) node.children.set(key, (child = { children: new Map(), value: null }));
      node = child;
    }
    node.value = index + 1;
  }
  return root;
}

function printStruct({ children, value }: Nested): string {
  if (value !== null) return `${quoteName(VALUES_COLUMN)}[${value}]`;
  return `json_object(${[...children].map(([key, child]) => `${quoteText(key)}, ${printStruct(child)}`).join(', ')})`;
}
