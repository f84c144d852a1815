/** One line of the editor's list. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'table' | 'column' | 'record' | 'function' | 'keyword' | 'macro' | 'value';
  /** Type, or what it is for. */
  readonly detail?: string;
  readonly documentation?: string;
  /** @default label */
  readonly insertText?: string;
}
