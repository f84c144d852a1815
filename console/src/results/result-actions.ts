/** What a person can do with values and rows of a result; each is absent where it is not possible. */
import { createContext, useContext } from 'react';
import type { ResultField } from '#contract/queries/result';
import type { Row, Value } from '../api/run-query';

export type FieldValue = string | number | boolean | null;

export interface ResultActions {
  readonly columns: readonly ResultField[];
  /** Runs a text that has the rows with the value, or the others. */
  readonly onFilter?: (path: readonly string[], value: FieldValue, isNegated: boolean) => void;
  /** Opens the lines around a line. */
  readonly onAround?: (row: Row) => void;
}

const ActionsContext = createContext<ResultActions>({ columns: [] });

export const ResultActionsProvider = ActionsContext.Provider;

export function useResultActions(): ResultActions {
  return useContext(ActionsContext);
}

export function isFieldValue(value: Value): value is FieldValue {
  return value === null || typeof value !== 'object';
}
