/** Random values: each row and each call has its own. A cached result keeps those of its run. */
import type { CallExpression } from '../../ast';
import { FLOAT64, STRING } from '../../ir/types';
import { callValue, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';

export const rand: FunctionSpec = {
  names: ['RAND'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'RAND()',
  summary: 'A random number from 0 up to 1, for samples: `WHERE RAND() < 0.01`.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, rand.usage, 0);
    return callValue(call, 'random', [], FLOAT64, { call: numberOf(call) });
  },
};

export const generateUuid: FunctionSpec = {
  names: ['GENERATE_UUID'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'GENERATE_UUID()',
  summary: 'A random UUID (version 4).',
  resolve: (call, ctx) => {
    checkCount(call, ctx, generateUuid.usage, 0);
    return callValue(call, 'random_uuid', [], STRING, { call: numberOf(call) });
  },
};

/** Two calls stand at two places of a text. */
function numberOf({ position }: CallExpression): number {
  return position.line * 100_000 + position.column;
}
