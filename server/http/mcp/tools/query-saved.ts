/** Runs a saved query with the arguments as its parameters. */
import type { SavedQuery } from '#contract/queries/saved-query';
import { type Arguments, maxRowsShape, parameterEntries, readArguments } from '../arguments';
import type { ToolAnswer, ToolCall } from '../tool-call';
import { MAX_ROWS_ARGUMENT } from './list-tools';
import { runCall } from './run-call';

export function querySaved(call: ToolCall, definition: SavedQuery, given: Arguments): Promise<ToolAnswer> {
  const hasOwn = definition.parameters.some(({ name }) => name === MAX_ROWS_ARGUMENT);
  const { [MAX_ROWS_ARGUMENT]: requested, ...rest } = given;
  const { max_rows: maxRows } = readArguments(
    { max_rows: maxRowsShape },
    hasOwn || requested === undefined ? {} : { max_rows: requested }
  );
  const entries = parameterEntries(hasOwn ? given : rest);
  return runCall(call, { definition, adhoc: null, entries, maxRows });
}
