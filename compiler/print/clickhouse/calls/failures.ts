import type { FailureOps } from '../../../ir/operations/ops';
import type { CallPrinters } from '../../dialect/dialect';
import { castTo, failsWhen } from '../values/literals';

export const failures: CallPrinters<FailureOps> = {
  // A constant condition would fail when the query is planned, even in a branch that no row takes.
  error: (_, { type, options }) => castTo(`if(${failsWhen('materialize(TRUE)', options.failure)}, NULL, NULL)`, type),
};
