/** Kinds of JSON values. Numbers and not strings, because the scanner compares one per value of every event. */
export const Token = {
  absent: 0,
  string: 1,
  /** A whole number in the range of INT64, without fraction, exponent or `-0`. */
  integer: 2,
  /** A number with a fraction or an exponent that is always finite as a double. */
  float: 3,
  /** Any other number: `-0`, beyond INT64, or with a large exponent. Only its text is exact. */
  oddNumber: 4,
  true: 5,
  false: 6,
  null: 7,
  object: 8,
  array: 9,
} as const;

export type Token = (typeof Token)[keyof typeof Token];

/** Kinds of values that hold no other values. */
export type ScalarToken = Exclude<Token, typeof Token.object | typeof Token.array>;
