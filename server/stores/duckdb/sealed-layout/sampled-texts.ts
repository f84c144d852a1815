/** Values of a column in the rows of a sample, as texts. */
export type SampledTexts = readonly (string | null)[];

const MIN_DISTINCT_SHARE = 0.05;
const MIN_DISTINCT = 16;

/** Columns with fewer texts take little space. */
export function isRich(texts: SampledTexts): boolean {
  const distinct = new Set(texts).size;
  return distinct >= MIN_DISTINCT && distinct >= texts.length * MIN_DISTINCT_SHARE;
}
