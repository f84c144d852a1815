/** Functions of FLOAT64 and random values. Outside of its domain a function returns NaN. */
import { random, randomUuid } from '../../random';
import type { MathOps } from '../../../../ir/operations/ops';
import { baseMath, named } from '../../../base/functions';
import type { CallPrinters } from '../../../dialect/dialect';

export const math: CallPrinters<MathOps> = {
  ...baseMath,
  sin: named('sin'),
  cos: named('cos'),
  tan: named('tan'),
  asin: named('asin'),
  acos: named('acos'),
  acosh: named('acosh'),
  atanh: named('atanh'),
  // ClickHouse computes equal calls once: the number makes them differ.
  random: (_, { options }) => random(String(options.call)),
  random_uuid: (_, { options }) => randomUuid(String(options.call)),
};
