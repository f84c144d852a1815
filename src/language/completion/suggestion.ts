/** A completion in the editor's list. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'table' | 'column' | 'record' | 'function' | 'keyword' | 'macro' | 'value';
  /** Type or purpose. */
  readonly detail?: string;
  readonly documentation?: string;
  /** @default label */
  readonly insertText?: string;
}
