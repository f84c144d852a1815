import type { FailureOps } from '../../../ir/operations/ops';
import type { CallPrinters } from '../../dialect/dialect';
import { raise, typeName } from '../values/literals';

export const failures: CallPrinters<FailureOps> = {
  // DuckDB refuses a statement that does not use a bound value, as the message.
  error: ([message], { type, options }) => {
    const failed = raise(options.failure);
    return `CAST(CASE WHEN ${message.sql} IS NULL THEN ${failed} ELSE ${failed} END AS ${typeName(type)})`;
  },
};
