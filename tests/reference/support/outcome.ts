/** What one text gives on the reference or on a store. */

export interface Outcome {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  /** Message of a failure; then there are no columns and rows. */
  readonly error?: string;
}

export interface StoreOutcome extends Outcome {
  readonly code?: string;
  readonly reason?: string;
  /** The row limit has cut the rows. */
  readonly isTruncated?: boolean;
}

export function failed(error: string, facts: { readonly code?: string; readonly reason?: string } = {}): StoreOutcome {
  return { columns: [], rows: [], error, ...facts };
}

/** Integers that a number of JavaScript cannot represent become texts. */
export function parseExact(json: string): unknown {
  const quoted = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (match) =>
    /["]|[.eE]/.test(match) || Number.isSafeInteger(Number(match)) ? match : `"${match}"`
  );
  return JSON.parse(quoted);
}
