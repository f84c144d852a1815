/** Characters that change the direction of what follows: with them, a text looks other than it is. */
export const REVERSING = /[\u202a-\u202e\u2066-\u2069]/g;

export const REVERSING_TITLE = 'A character that changes the direction of the text';

/** The parts of a text before, between and after such characters; one part: it has no such character. */
export function splitAtReversing(text: string): readonly string[] {
  return text.split(REVERSING);
}
