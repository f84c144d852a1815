/**
 * Facts about a valid pattern by which stores return the same matches. Read from the program that RE2 compiles it to.
 */
import type { RE2JS } from 're2js';
import { itemAt } from '../../../items';

/**
 * Where a pattern matches no characters: never; only where a condition such as `$` is met; at every character; or
 * unknown: at every character, and elsewhere under conditions.
 */
export type EmptyMatches = 'never' | 'on condition' | 'everywhere' | 'mixed';

export interface GroupFacts {
  /** Whether the pattern can match without the group, as with `(a)?` and `(a)|b`. */
  readonly maySkip: boolean;
  /** Whether the group can match no characters. */
  readonly mayBeEmpty: boolean;
  readonly name: string | null;
}

export interface PatternFacts {
  readonly empty: EmptyMatches;
  /** Capturing groups, from 1. */
  readonly groups: readonly GroupFacts[];
}

/** A pattern that has no groups and always takes characters. */
export const PLAIN_PATTERN: PatternFacts = Object.freeze({ empty: 'never', groups: [] });

/** Instructions of RE2 programs. */
const ALT = 1;
const ALT_MATCH = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOP = 7;

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
}

interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

export function patternFacts(pattern: RE2JS): PatternFacts {
  const program = programOf(pattern);
  const names = new Map(Object.entries(pattern.namedGroups()).map(([name, index]) => [index, name]));
  const groups = Array.from({ length: pattern.groupCount() }, (_, index): GroupFacts => {
    const group = index + 1;
    return { ...groupFacts(program, group), name: names.get(group) ?? null };
  });
  return { empty: emptyMatches(program), groups };
}

function emptyMatches(program: Program): EmptyMatches {
  const ends = ({ op }: Instruction): boolean => op === MATCH;
  if (!reaches(program, program.start, ends, takesNothing)) return 'never';
  if (!reaches(program, program.start, ends, (step) => takesNothing(step) && step.op !== EMPTY_WIDTH))
    return 'on condition';
  return program.inst.some(({ op }) => op === EMPTY_WIDTH) ? 'mixed' : 'everywhere';
}

function groupFacts(program: Program, group: number): Pick<GroupFacts, 'maySkip' | 'mayBeEmpty'> {
  const opens = ({ op, arg }: Instruction): boolean => op === CAPTURE && arg === 2 * group;
  const closes = ({ op, arg }: Instruction): boolean => op === CAPTURE && arg === 2 * group + 1;
  const isEmptyWith = (passes: (step: Instruction) => boolean): boolean =>
    program.inst.some((step) => opens(step) && reaches(program, step.out, closes, passes));
  const mayBeEmpty = isEmptyWith(takesNothing);
  // A group that can always be empty is preferred to leaving it out: `(a*)?` never skips.
  const isAlwaysEmpty = isEmptyWith((step) => takesNothing(step) && step.op !== EMPTY_WIDTH);
  const after = program.inst.filter(closes).map(({ out }) => out);
  const skipped = ({ op, out, arg }: Instruction): boolean =>
    isAlwaysEmpty && op === ALT && opens(itemAt(program.inst, out)) && after.includes(arg);
  const inst = program.inst.map((step) => (skipped(step) ? { op: NOP, out: step.out, arg: 0 } : step));
  const ends = ({ op }: Instruction): boolean => op === MATCH;
  const maySkip = reaches({ ...program, inst }, program.start, ends, (step) => !opens(step));
  return { maySkip, mayBeEmpty };
}

function takesNothing({ op }: Instruction): boolean {
  return op === ALT || op === ALT_MATCH || op === CAPTURE || op === EMPTY_WIDTH || op === NOP;
}

/** Whether a path of instructions that `passes` leads to one that `isGoal`. */
function reaches(
  { inst }: Program,
  start: number,
  isGoal: (step: Instruction) => boolean,
  passes: (step: Instruction) => boolean
): boolean {
  const seen = new Set([start]);
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const step = inst[at];
    if (step === undefined || step.op === FAIL) continue;
    if (isGoal(step)) return true;
    if (step.op === MATCH || !passes(step)) continue;
    for (const next of step.op === ALT || step.op === ALT_MATCH ? [step.out, step.arg] : [step.out]) {
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** The types of the package leave the program out. */
function programOf(pattern: RE2JS): Program {
  return (pattern as unknown as { readonly re2Input: { readonly prog: Program } }).re2Input.prog;
}
