/** Windows of a WINDOW clause, which OVER uses by name and extends. */
import type { Expression, Identifier, NamedWindow, WindowSpecification } from '../../ast';
import type { Value } from '../../functions/function';
import { failure } from '../failure';
import { sameName } from '../names/scope';
import { didYouMean, meantHint } from '#contract/nearest-name';

export class NamedWindows {
  private readonly windows: { readonly name: string; readonly window: WindowSpecification }[] = [];
  /** Values of their expressions, which are resolved once however often the window is used. */
  private readonly values = new Map<Expression, Value>();

  /** @throws duplicate_alias, unknown_window, bad_frame, also for windows that nothing uses */
  constructor(windows: readonly NamedWindow[]) {
    for (const { name, window } of windows) {
      if (this.find(name.name) !== undefined) {
        throw failure('duplicate_alias', `the name "${name.name}" is used twice in WINDOW`, name.position, {
          name: name.name,
        });
      }
      this.windows.push({ name: name.name, window: this.extended(window) });
    }
  }

  /** The window with the parts of those that it extends. @throws unknown_window, bad_frame */
  extended(window: WindowSpecification): WindowSpecification {
    const { base, partitionBy, orderBy, frame } = window;
    if (base === null) return window;
    const found = this.find(base.name);
    if (found === undefined) throw this.unknown(base);
    const fail = (what: string): Error =>
      failure('bad_frame', what, base.position, { hint: 'write the whole window inside OVER (...)' });
    if (partitionBy.length > 0) throw fail(`a window that extends "${base.name}" takes no PARTITION BY`);
    if (orderBy.length > 0 && found.orderBy.length > 0) {
      throw fail(`the window "${base.name}" already has an ORDER BY`);
    }
    if (found.frame !== null && (orderBy.length > 0 || frame !== null)) {
      throw fail(`the window "${base.name}" has a frame and cannot be extended`);
    }
    return {
      ...window,
      base: null,
      partitionBy: found.partitionBy,
      orderBy: orderBy.length > 0 ? orderBy : found.orderBy,
      frame: frame ?? found.frame,
    };
  }

  valueOf(expression: Expression, resolve: () => Value): Value {
    const value = this.values.get(expression) ?? resolve();
    this.values.set(expression, value);
    return value;
  }

  private unknown({ name, position }: Identifier): Error {
    const names = this.windows.map((window) => window.name);
    return failure('unknown_window', `unknown window "${name}"${didYouMean(name, names)}`, position, {
      name,
      ...(names.length === 0
        ? { hint: 'define it with WINDOW name AS (...) behind WHERE, GROUP BY and HAVING' }
        : meantHint(name, names)),
    });
  }

  private find(name: string): WindowSpecification | undefined {
    return this.windows.find((window) => sameName(window.name, name))?.window;
  }
}
