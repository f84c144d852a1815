/** Lowers filters to conditions. */
import { callExpression } from '../../ast/call';
import type { Expression } from '../../ast';
import { isNumeric, isScalar, isTime, type Type } from '../../ir/types';
import {
  LEVELS,
  type FieldFilter,
  type FieldTest,
  type FilterRule,
  type MessageFilter,
  type Scalar,
  type TimeFilter,
} from '../rules';
import { boundsOf, isEmpty } from '../time/bounds';
import { access, any, first, isNotTrue, isRecord, type Access } from './access';
import type { Lowering } from './lowering';
import { levelAdvice, operatorAdvice, valueAdvice } from './operator-words';
import { within } from './time-condition';
import { timestampColumn } from './timestamp';
import { binary, bool, exists, joined, path, text, whole } from './tree';
import { elementOf, ensureText, needsArray, needsIncludes, notCompared, notQueryable, textList } from './type-errors';
import { constant, timePoint } from './values';

export function lowerFilter(filter: FilterRule, lowering: Lowering): Expression {
  switch (filter.kind) {
    case 'message':
      return messageCondition(filter, lowering);
    case 'time':
      return timeCondition(filter, lowering);
    case 'field':
      return fieldCondition(filter, lowering);
  }
}

function messageCondition(filter: MessageFilter, lowering: Lowering): Expression {
  const { negated, test, text: wanted, position } = filter;
  if (test === 'contains') warnOf(wanted, operatorAdvice, lowering);
  const column = access({ parts: [{ name: 'event_message', quoted: true, position }], position }, lowering.table);
  ensureText(column, position, 'a message filter');
  const needle = text(wanted.text, wanted.position);
  return any(column, negated, (value) =>
    test === 'regex'
      ? callExpression('REGEXP_CONTAINS', [value, needle], position)
      : binary(callExpression('STRPOS', [value, needle], position), '>', whole(0, position))
  );
}

function warnOf(
  { text: word, position }: Pick<Scalar, 'text' | 'position'>,
  adviceOn: (word: string) => string | null,
  lowering: Lowering
): void {
  // Quotes say that the word itself is meant.
  if (position.end - position.offset !== word.length) return;
  const advice = adviceOn(word);
  if (advice !== null) lowering.warn('operator_as_word', `"${word}" is a text to look for: ${advice}`, position);
}

function timeCondition({ negated, test, position }: TimeFilter, lowering: Lowering): Expression {
  const { value, type } = timestampColumn(lowering.table, position, 'a time filter');
  const bounds = boundsOf(test, lowering.now);
  if (isEmpty(bounds)) lowering.warnEmpty(test.position);
  const condition = within(value, type, bounds, test.position);
  return negated ? isNotTrue(condition) : condition;
}

function fieldCondition({ path: written, negated, test, position }: FieldFilter, lowering: Lowering): Expression {
  const column = access(written, lowering.table);
  const { type } = column;
  const isInclusion = test.kind === 'includes' || test.kind === 'includes-regex';
  if (isRecord(type) || (type.kind === 'ARRAY' && isRecord(type.element))) throw notQueryable(column);
  if (type.kind === 'ARRAY' && !isInclusion) throw needsIncludes(column);
  if (type.kind !== 'ARRAY' && isInclusion) throw needsArray(column);
  if (test.kind !== 'null' && !isScalar(elementOf(type))) throw notCompared(column);
  if (test.kind === 'null') {
    return { kind: 'is', operand: first(column), negated, test: 'NULL', position };
  }
  return any(column, negated, (value) => condition(value, test, type, column, lowering));
}

function condition(
  value: Expression,
  test: Exclude<FieldTest, { kind: 'null' }>,
  type: Type,
  column: Access,
  lowering: Lowering
): Expression {
  switch (test.kind) {
    case 'compare':
      if (isTime(type)) {
        const point = timePoint(test.value, type, column);
        const bounds = boundsOf({ kind: 'compare', operator: test.operator, point }, lowering.now);
        return within(value, type, bounds, test.value.position);
      }
      if (type.kind === 'STRING') warnOf(test.value, test.operator === '=' ? valueAdvice : levelAdvice, lowering);
      return binary(value, test.operator, constant(test.value, type, column));
    case 'range':
      return between(value, test, type, column, lowering);
    case 'levels': {
      ensureText(column, test.position, 'a range of levels');
      const levels = LEVELS.slice(LEVELS.indexOf(test.low), LEVELS.indexOf(test.high) + 1);
      if (levels.length === 0) {
        lowering.warnEmpty(test.position);
        return bool(false, test.position);
      }
      const items = levels.map((level) => text(level, test.position));
      return { kind: 'in', operand: value, negated: false, choices: { kind: 'list', items }, position: test.position };
    }
    case 'in':
      return oneOf(value, test, type, column, lowering);
    case 'regex': {
      const { pattern } = test;
      ensureText(column, pattern.position, 'a regular expression');
      return callExpression('REGEXP_CONTAINS', [value, text(pattern.text, pattern.position)], pattern.position);
    }
    case 'includes': {
      const { position } = test.value;
      const element = elementOf(type);
      if (isTime(element)) {
        const equal: FieldTest = { kind: 'compare', operator: '=', value: test.value };
        return exists(
          [{ array: value, alias: 'e' }],
          condition(path(['e'], position), equal, element, column, lowering)
        );
      }
      const wanted = constant(test.value, element, column);
      return { kind: 'in', operand: wanted, negated: false, choices: { kind: 'unnest', array: value }, position };
    }
    case 'includes-regex': {
      const { pattern } = test;
      if (elementOf(type).kind !== 'STRING') throw textList(column, pattern.position);
      const { position } = pattern;
      const matches = callExpression(
        'REGEXP_CONTAINS',
        [path(['e'], position), text(pattern.text, position)],
        position
      );
      return exists([{ array: value, alias: 'e' }], matches);
    }
  }
}

function between(
  value: Expression,
  { low, high }: Extract<FieldTest, { kind: 'range' }>,
  type: Type,
  column: Access,
  lowering: Lowering
): Expression {
  const position = { ...low.position, end: high.position.end };
  if (isTime(type)) {
    const [start, end] = [timePoint(low, type, column), timePoint(high, type, column)];
    const bounds = boundsOf({ kind: 'range', low: start, high: end }, lowering.now);
    if (isEmpty(bounds)) lowering.warnEmpty(position);
    return within(value, type, bounds, position);
  }
  const [from, to] = [constant(low, type, column), constant(high, type, column)];
  if (isNumeric(type) ? Number(low.text) > Number(high.text) : low.text > high.text) lowering.warnEmpty(position);
  return { kind: 'between', operand: value, low: from, high: to, negated: false, position };
}

function oneOf(
  value: Expression,
  { items, position }: Extract<FieldTest, { kind: 'in' }>,
  type: Type,
  column: Access,
  lowering: Lowering
): Expression {
  if (isTime(type)) {
    const equals = (item: Scalar): Expression =>
      condition(value, { kind: 'compare', operator: '=', value: item }, type, column, lowering);
    return joined('OR', items.map(equals));
  }
  const constants = items.map((item) => constant(item, type, column));
  return { kind: 'in', operand: value, negated: false, choices: { kind: 'list', items: constants }, position };
}
