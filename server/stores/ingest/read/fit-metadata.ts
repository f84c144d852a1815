/**
 * The slow path of an event's metadata: converts its tree to normalized JSON text, and extends the field tree. In
 * normalized metadata a record is an object: `[{..}]` is unwrapped at the path of a single record, and a single object
 * is wrapped at the path of a list of records.
 */
import type { ScalarType } from '#contract/events/source';
import type { FieldNode, FieldTree } from '../fields/field-tree';
import { fitsAsWritten, textForColumn, typeOfScalar, widerType } from '../fields/field-types';
import { Token } from '../../../common/json/json-token';
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type JsonScalar,
  jsonString,
  writeJsonTree,
} from '../../../common/json/json-tree';

export interface FittedMetadata {
  readonly text: string;
  /** Text for the typed columns, when it differs: misfits are left out and some values are rewritten. */
  readonly columnsText: string | null;
}

/** A value as it is stored, and as the typed columns read it; null: they do not. */
interface Fitted {
  readonly kept: JsonNode;
  readonly column: JsonNode | null;
}

export function fitMetadata(tree: FieldTree, metadata: JsonObject): FittedMetadata {
  const { kept, column } = new Fitter(tree).fitRecord(tree.root, metadata);
  return {
    text: writeJsonTree(kept),
    columnsText: column === kept || column === null ? null : writeJsonTree(column),
  };
}

class Fitter {
  private readonly tree: FieldTree;

  constructor(tree: FieldTree) {
    this.tree = tree;
  }

  fitRecord(node: FieldNode, record: JsonObject): Fitted {
    const kept = new Map<string, JsonNode>();
    const columns = new Map<string, JsonNode>();
    let isSame = true;
    for (const [key, value] of record.members) {
      const child = this.tree.findOrAdd(node, key);
      const fitted = child === null ? asIs(value) : this.fitValue(child, value);
      kept.set(key, fitted.kept);
      if (fitted.column !== null) columns.set(key, fitted.column);
      if (fitted.column !== fitted.kept) isSame = false;
    }
    const keptRecord: JsonObject = { token: Token.object, members: kept };
    return { kept: keptRecord, column: isSame ? keptRecord : { token: Token.object, members: columns } };
  }

  private fitValue(node: FieldNode, value: JsonNode): Fitted {
    switch (value.token) {
      case Token.object:
        return this.fitObject(node, value);
      case Token.array:
        return this.fitArray(node, value);
      case Token.null:
        return asIs(value);
      default:
        return this.fitScalar(node, value);
    }
  }

  private fitObject(node: FieldNode, value: JsonObject): Fitted {
    if (node.kind === 'empty') this.tree.settle(node, 'record', null);
    switch (node.kind) {
      case 'record':
        this.tree.touch(node);
        return this.fitRecord(node, value);
      case 'records':
        this.tree.touch(node);
        return asIs({ token: Token.array, items: [this.fitRecord(node, value).kept] });
      case 'empty':
        return asIs(value);
      default:
        return this.misfit(node, value);
    }
  }

  private fitArray(node: FieldNode, value: JsonArray): Fitted {
    const { items } = value;
    if (items.length === 0) return this.fitNoItems(node, value);
    const isLeafOrList = node.kind === 'leaf' || node.kind === 'list';
    if (!isLeafOrList && items.length === 1 && items[0]!.token === Token.object && node.kind !== 'records') {
      return this.fitObject(node, items[0]!);
    }
    const hasObject = items.some((item) => item.token === Token.object);
    const hasOther = items.some((item) => item.token !== Token.object && item.token !== Token.null);
    if (hasObject && !hasOther) return this.fitRecords(node, value);
    if (items.every(isScalar)) return this.fitScalars(node, value, items);
    return this.fitMixed(node, value);
  }

  private fitRecords(node: FieldNode, value: JsonArray): Fitted {
    if (node.kind === 'empty') this.tree.settle(node, 'records', null);
    if (node.kind === 'record' && !node.isDeclared) this.tree.becomeRecords(node);
    if (node.kind === 'list') return this.fitItems(node, value);
    if (node.kind !== 'records') return this.misfit(node, value);
    this.tree.touch(node);
    const items = value.items.map((item) => (item.token === Token.object ? this.fitRecord(node, item).kept : item));
    return asIs({ token: Token.array, items });
  }

  private fitScalars(node: FieldNode, value: JsonArray, items: readonly JsonScalar[]): Fitted {
    const present = items.filter((item) => item.token !== Token.null);
    if (present.length === 0) return this.fitNoItems(node, value);
    if (node.kind === 'empty') {
      const type = homogeneousType(present);
      if (type === null) this.tree.settle(node, 'leaf', 'STRING');
      else this.tree.settle(node, 'list', type);
    }
    if (node.kind !== 'list') return this.fitMixed(node, value);
    for (const item of present) this.widenFor(node, item);
    return this.fitItems(node, value);
  }

  /** A list without a value says nothing of its type; where that is known, it is no NULL. */
  private fitNoItems(node: FieldNode, value: JsonArray): Fitted {
    if (node.kind !== 'list') return { kept: value, column: null };
    this.tree.touch(node);
    return asIs(value);
  }

  /** Items that do not fit are NULL in the column, as where a list is read from the JSON text. */
  private fitItems(node: FieldNode, value: JsonArray): Fitted {
    const columns = value.items.map((item) => itemForColumn(node, item));
    if (columns.includes(null)) this.tree.countMisfit(node);
    this.tree.touch(node);
    const isSame = columns.every((column, index) => column === value.items[index]);
    return { kept: value, column: isSame ? value : { token: Token.array, items: columns.map((item) => item ?? NULL) } };
  }

  /** A list without a common element type is stored as JSON text in a column of texts. */
  private fitMixed(node: FieldNode, value: JsonArray): Fitted {
    if (node.kind === 'list') return this.fitItems(node, value);
    if (node.kind === 'empty') this.tree.settle(node, 'leaf', 'STRING');
    if (node.kind !== 'leaf' || node.type !== 'STRING') return this.misfit(node, value);
    this.tree.touch(node);
    return { kept: value, column: jsonString(writeJsonTree(value)) };
  }

  private fitScalar(node: FieldNode, value: JsonScalar): Fitted {
    if (node.kind === 'empty') this.tree.settle(node, 'leaf', typeOfScalar(value));
    if (node.kind !== 'leaf') return this.misfit(node, value);
    this.widenFor(node, value);
    const column = scalarForColumn(node, value);
    if (column === null) return this.misfit(node, value);
    this.tree.touch(node);
    return { kept: value, column };
  }

  private misfit(node: FieldNode, value: JsonNode): Fitted {
    this.tree.countMisfit(node);
    return { kept: value, column: null };
  }

  private widenFor(node: FieldNode, value: JsonScalar): void {
    if (node.isDeclared || node.type === null) return;
    const type = widerType(node.type, typeOfScalar(value));
    if (type !== node.type) this.tree.widen(node, type);
  }
}

function isScalar(node: JsonNode): node is JsonScalar {
  return node.token !== Token.object && node.token !== Token.array;
}

function asIs(value: JsonNode): Fitted {
  return { kept: value, column: value };
}

/** Element type of a new list; null for a mix of texts, numbers and booleans. */
function homogeneousType(items: readonly JsonScalar[]): ScalarType | null {
  const types = new Set(items.map(typeOfScalar));
  if (types.size === 1) return [...types][0]!;
  const areNumbers = types.size === 2 && types.has('INT64') && types.has('FLOAT64');
  return areNumbers ? 'FLOAT64' : null;
}

const NULL: JsonScalar = { token: Token.null, text: 'null' };

/** @returns null when the item does not fit. An item that is no scalar is JSON text in a list of texts. */
function itemForColumn(node: FieldNode, item: JsonNode): JsonNode | null {
  if (isScalar(item)) return scalarForColumn(node, item);
  return node.type === 'STRING' ? jsonString(writeJsonTree(item)) : null;
}

/** @returns the same object when it can stay as written; null when the value does not fit. */
function scalarForColumn(node: FieldNode, value: JsonScalar): JsonNode | null {
  const type = node.type;
  if (value.token === Token.null || type === null) return value;
  if (fitsAsWritten(type, value.token)) return value;
  const text = textForColumn(type, value);
  if (text === null) return null;
  return type === 'STRING' ? jsonString(value.text) : { token: Token.float, text };
}
