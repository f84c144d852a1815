/** Shared by tests of the encoders: hand-written results, and type names read into output types. */
import type { QueryRequest } from '#contract/queries/query';
import type { OutputColumn, OutputType } from '#compiler/output/compiled-query';
import { encode } from '#server/engine/query/encode/encode';
import type { EncodedResult } from '#server/engine/query/encode/encoder';
import { redact } from '#server/engine/query/redact';
import type { StoreValue } from '#server/stores/store-value';
import { corpusLines } from './corpus';

/** The cases of a file of `corpus/encode/`: fields between bars. */
export function encodeCases(name: string): readonly (readonly string[])[] {
  return corpusLines(`encode/${name}`).map((line) => line.split('|').map((field) => field.trim()));
}

/**
 * Names of `corpus/encode/values.txt`: those of the dialect, and SINGLE and RECORD for the two kinds of RECORD_TEXT.
 */
export function outputType(name: string): OutputType {
  const list = /^(ARRAY|STRUCT)<(.*)>$/.exec(name);
  if (list?.[1] === 'ARRAY') return { kind: 'ARRAY', element: outputType(list[2] as string) };
  if (list) return { kind: 'STRUCT', fields: columns((list[2] as string).split(',')) };
  if (name === 'SINGLE' || name === 'RECORD') return { kind: 'RECORD_TEXT', single: name === 'SINGLE' };
  return { kind: name } as OutputType;
}

export function columns(types: readonly string[]): readonly OutputColumn[] {
  return types.map((typeName, index) => ({ name: `f${index}`, type: outputType(typeName), typeName }));
}

export interface TestResult {
  readonly fields: readonly OutputColumn[];
  readonly rows: readonly (readonly StoreValue[])[];
  readonly truncated?: boolean;
}

export type TestOptions = Partial<Pick<QueryRequest, 'format' | 'timestamps' | 'maxBytes'>> & {
  readonly meta?: { readonly revision: number; readonly warnings: []; readonly elapsedMs: () => number };
};

export function encodeRows({ fields, rows, truncated = false }: TestResult, options: TestOptions = {}): EncodedResult {
  const stored = {
    columns: fields.map((_, index) => rows.map((row) => row[index] as StoreValue)),
    rowCount: rows.length,
    truncated,
  };
  return encode(redact(fields, stored, null), {
    format: 'json',
    timestamps: 'native',
    maxBytes: 8_388_608,
    meta: null,
    ...options,
  });
}

export function encodedText(result: TestResult, options: TestOptions = {}): string {
  return Buffer.from(encodeRows(result, options).bytes).toString('utf8');
}
