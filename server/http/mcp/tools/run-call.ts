/** Runs a call and writes its rows for an agent. */
import type { ToolAnswer, ToolCall } from '../tool-call';
import { writeResult } from '../result-text';
import { unknownValueNotes } from './parameter-values';
import { readRows, type UnboundToolCall } from './read-rows';

export async function runCall(call: ToolCall, unbound: UnboundToolCall): Promise<ToolAnswer> {
  const { rows, facts } = await readRows(call, unbound);
  const unknown = rows.length === 0 ? await unknownValueNotes(call, unbound.definition, unbound.entries) : [];
  const { text, result } = writeResult(rows, { ...facts, notes: [...facts.notes, ...unknown] });
  return { text, structured: { ...result } };
}
