/** What every node of the syntax tree has: the place in the text where it starts and ends. */

/** Offsets are UTF-16 indexes into the text; line and column are 1-based, as errors show them. */
export interface SourcePosition {
  readonly offset: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface Node {
  readonly position: SourcePosition;
}

/** A name as written, quotes taken off. Unquoted names compare without case; `quoted` says that backticks stood around it. */
export interface Identifier extends Node {
  readonly name: string;
  readonly quoted: boolean;
}
