import type { FailureOps } from '../../../ir/operations/ops';
import type { CallPrinters } from '../../dialect/dialect';
import { castTo, failsWhen } from '../values/literals';

export const failures: CallPrinters<FailureOps> = {
  // A constant condition would fail when the query is planned, even in a branch that no row takes. Equal branches are
  // the result of `if` without its condition: ClickHouse would take NULL for a constant, and compute nothing.
  error: (_, { type, options }) => {
    const nothing = castTo('NULL', type);
    return `if(${failsWhen('materialize(TRUE)', options.failure)}, ${nothing}, materialize(${nothing}))`;
  },
};
