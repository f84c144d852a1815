/**
 * Grafana's replacement of variables, as far as the data source asks for it: `$name`, `${name}`, `${name:raw}`,
 * `[[name]]`.
 */
import type { ScopedVars } from '@grafana/data';
import type { TemplateSrv } from '@grafana/runtime';

export function fakeTemplateSrv(values: Readonly<Record<string, string | readonly string[]>> = {}): TemplateSrv {
  const replace = (text = '', scopedVars: ScopedVars = {}, format?: unknown): string =>
    text.replace(/\$(\w+)|\$\{(\w+)(?::(\w+))?\}|\[\[(\w+)\]\]/g, (whole, bare, braced, written, old) => {
      const name: string = bare ?? braced ?? old;
      const value: unknown = scopedVars[name]?.value ?? values[name];
      if (value === undefined) return whole;
      return written === 'raw' || typeof format !== 'function'
        ? String(value)
        : String(format(value, { name }, String));
    });
  return {
    replace,
    containsTemplate: (text = '') => /\$|\[\[/.test(text),
    getVariables: () => [],
    updateTimeRange: () => undefined,
  };
}
