/** A call of a tool and its answer. */
import type { KeyedCall } from '../router';

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface ToolCall extends KeyedCall {
  readonly signal: AbortSignal;
}
