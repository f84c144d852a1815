/** The published texts of redaction: tests/corpus/redaction/texts.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';

export interface RedactionText {
  /** Null: nothing is hidden. */
  readonly kind: RedactionKind | null;
  readonly text: string;
  readonly redacted: string;
}

type File = Readonly<Record<RedactionKind, readonly Omit<RedactionText, 'kind'>[]>> & {
  readonly stays: readonly string[];
};

/** @param root the folder of the repository */
export function readRedactionTexts(root = join(__dirname, '../../..')): readonly RedactionText[] {
  const file = parse(readFileSync(join(root, 'tests/corpus/redaction/texts.yaml'), 'utf8')) as File;
  return [
    ...REDACTION_KINDS.flatMap((kind) => file[kind].map((one) => ({ kind, ...one }))),
    ...file.stays.map((text) => ({ kind: null, text, redacted: text })),
  ];
}
