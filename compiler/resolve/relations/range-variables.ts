/** Range variables of FROM items: tables, constant rows, opened records and list elements. */
import type { SourcePosition, UnnestItem } from '../../ast';
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import { INT64, type RecordShape, type Type } from '../../ir/types';
import { columnValue, settle } from './demand';
import type { Relation } from './relation';
import type { Resolution } from '../resolution';
import { fieldOf } from '../names/resolve-path';
import type { RangeVariable } from '../names/scope';
import { structOf } from '../expressions/values/struct-value';
import { itemAt } from '../../items';

export function tableVariable(
  resolution: Resolution,
  relation: Relation,
  name: string,
  position: SourcePosition
): RangeVariable {
  const { columns } = relation;
  const column: RangeVariable['column'] = (index, mention) =>
    columnValue(resolution, relation.id, index, itemAt(columns, index).type, mention);
  return { name, kind: 'table', position, columns, column, whole: (at) => wholeRow(columns, column, at) };
}

/** A table's name used as a value: a STRUCT of its columns. */
function wholeRow(columns: readonly LogicalColumn[], column: RangeVariable['column'], position: SourcePosition): Value {
  const fields = columns.map(({ name }, index) => ({ name, value: column(index, { display: name, position }) }));
  return structOf(fields, position);
}

/** A row that is stored as a record, with the rules of a table. */
function asTable(record: RangeVariable): RangeVariable {
  const column: RangeVariable['column'] = (index, mention) => record.column(index, mention);
  return { ...record, kind: 'table', whole: (at) => wholeRow(record.columns, column, at) };
}

export function constantRow(
  name: string,
  position: SourcePosition,
  columns: readonly LogicalColumn[],
  values: readonly Value[]
): RangeVariable {
  const column: RangeVariable['column'] = (index, mention) => ({
    ...itemAt(values, index),
    position: mention.position,
  });
  return { name, kind: 'table', position, columns, column, whole: (at) => wholeRow(columns, column, at) };
}

/** An opened record: its fields are columns, and it is a value itself. */
export function recordVariable(resolution: Resolution, name: string, item: UnnestItem, record: Value): RangeVariable {
  const columns = recordColumns(record.type);
  return {
    name,
    kind: 'record',
    position: item.alias?.position ?? item.position,
    columns,
    ...(record.type.kind === 'RECORD' && record.type.shape.isFull === true && { isFull: true }),
    column: (index, { display, position }) => {
      const field = { name: itemAt(columns, index).name, quoted: true, position };
      const value = settle(resolution, fieldOf(mentioned(record, display, position), field, name));
      return value.expr.kind === 'lazy-record' ? { ...value, expr: { ...value.expr, display } } : value;
    },
    whole: (position) => mentioned(record, name, position),
  };
}

/** The value as it is read at a position: errors that name it point there, not at its place in FROM. */
function mentioned(value: Value, display: string, position: SourcePosition): Value {
  const { expr } = value;
  if (expr.kind !== 'column' && expr.kind !== 'lazy-record') return { ...value, position };
  return { ...value, expr: { ...expr, display, position }, position };
}

function recordColumns(type: Type): readonly LogicalColumn[] {
  if (type.kind === 'RECORD') return recordFields(type.shape);
  return type.kind === 'STRUCT' ? type.fields : [];
}

/** All fields of a record, marked if they must not be listed. */
export function recordFields({ fields, hidden }: RecordShape): readonly LogicalColumn[] {
  return Array.from(fields, ([name, type]) => ({ name, type, ...(hidden?.has(name) ? { isHidden: true } : {}) }));
}

/** A name for a single value, such as the offset of an opened list; also a column of the same name. */
export function valueVariable(name: string, position: SourcePosition, value: Value): RangeVariable {
  return lazyVariable(name, position, () => value);
}

/** A name for a value that is determined where the name is read. */
export function lazyVariable(name: string, position: SourcePosition, value: () => Value): RangeVariable {
  return {
    name,
    kind: 'record',
    position,
    columns: [],
    column: value,
    whole: (at) => mentioned(value(), name, at),
  };
}

/** Range variables of an opened list: its element, and its offset if requested. */
export function elementVariables(
  item: UnnestItem,
  element: Type,
  column: (which: 'element' | 'offset', type: Type, mention: { display: string; position: SourcePosition }) => Expr,
  resolution: Resolution
): RangeVariable[] {
  const name = item.alias?.name ?? '';
  const position = item.alias?.position ?? item.position;
  const expr = column('element', element, { display: name, position });
  const value: Value = { expr, type: element, text: null, position };
  const isRecord = element.kind === 'RECORD' || element.kind === 'STRUCT';
  const variable = isRecord ? recordVariable(resolution, name, item, value) : valueVariable(name, position, value);
  const variables = [item.isTable && isRecord ? asTable(variable) : variable];
  if (item.offset) {
    const mention = { display: item.offset.name, position: item.offset.position };
    const offset: Value = {
      expr: column('offset', INT64, mention),
      type: INT64,
      text: null,
      position: item.offset.position,
    };
    variables.push(valueVariable(item.offset.name, item.offset.position, offset));
  }
  return variables;
}
