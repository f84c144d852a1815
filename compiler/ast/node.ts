/** Base of all syntax tree nodes: the start and end of the node in the text. */

/** Position in the text: `offset` is a UTF-16 index; line and column are 1-based, as shown in errors. */
export interface SourcePosition {
  readonly offset: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface Node {
  readonly position: SourcePosition;
}

/** A name without its quotes. Unquoted names are case-insensitive; `quoted` is true for names in backticks. */
export interface Identifier extends Node {
  readonly name: string;
  readonly quoted: boolean;
}
