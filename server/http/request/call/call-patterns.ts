/**
 * Regular expressions of one call: values that are patterns, and patterns that values must match. Both are compiled and
 * matched between the requests of all callers, so a call has a share of time for them.
 */
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { PatternBudget } from '#contract/pattern-limits';

/** Instructions of the programs times characters of the values: up to 0.4 microseconds each when all are tried. */
const MAX_STEPS = 1_000_000;

/** A program keeps up to 8 MiB of states that it met in earlier values (RE2JS), so few are kept. */
const compiled = new LRUCache<string, RE2JS>({ max: 8 });

/** Dashboards repeat the same few values, and compiling one costs more than all other checks of a call. */
const validPatterns = new LRUCache<string, true>({ max: 1000 });

export class CallPatterns {
  private readonly ofValues = new PatternBudget('parameters');
  private readonly declared = new PatternBudget('parameters');
  private remainingSteps = MAX_STEPS;

  /**
   * @returns what is too much in a value that is a pattern, else null
   * @throws RE2JSSyntaxException
   */
  compileValue(value: string): string | null {
    if (validPatterns.has(value)) return null;
    const limit = this.ofValues.take(value);
    if (limit !== null) return limit;
    RE2JS.compile(value);
    validPatterns.set(value, true);
    return null;
  }

  /** @returns what is too much in a declared pattern, which an earlier version may have stored, else null */
  limitOf(pattern: string): string | null {
    return this.declared.take(pattern);
  }

  /** @returns longest text that this call may still match with the pattern, in UTF-16 units */
  maxLength(pattern: string): number {
    return Math.floor(this.remainingSteps / programOf(pattern).programSize());
  }

  /** Whether the pattern matches the whole value, which is at most `maxLength` long. */
  matches(pattern: string, value: string): boolean {
    const program = programOf(pattern);
    this.remainingSteps -= program.programSize() * value.length;
    return program.matches(value);
  }
}

function programOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const program = RE2JS.compile(pattern);
  compiled.set(pattern, program);
  return program;
}
