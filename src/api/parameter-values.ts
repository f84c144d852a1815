/** Values to choose from for a parameter: those declared, or those returned by the declared saved query. */
import type { DataFrame } from '@grafana/data';
import { escapeVariables } from '#contract/plugin/literal-text';
import type { Parameter, ValueList } from '#contract/queries/saved-query';
import type { LogEndpointsQuery } from '../types';
import { variableFrame } from '../dashboards/variables/variable-options';

const KEPT_MS = 60_000;
const VALUES_REF_ID = 'values';

/** @returns the frames of a query; rejects on failure */
export type RunQuery = (query: LogEndpointsQuery) => Promise<readonly DataFrame[]>;

export class ParameterValues {
  private readonly kept = new Map<string, { readonly answer: Promise<readonly string[]>; readonly untilMs: number }>();

  constructor(
    private readonly run: RunQuery,
    private readonly nowMs: () => number = Date.now
  ) {}

  /** Lists are cached for a minute; failures are not. */
  of({ enum: named, values }: Parameter): Promise<readonly string[]> {
    if (named) return Promise.resolve(named);
    if (values === undefined) return Promise.resolve([]);
    const key = JSON.stringify(values);
    const known = this.kept.get(key);
    if (known && known.untilMs > this.nowMs()) return known.answer;
    const answer = this.listed(values);
    this.kept.set(key, { answer, untilMs: this.nowMs() + KEPT_MS });
    answer.catch(() => {
      if (this.kept.get(key)?.answer === answer) this.kept.delete(key);
    });
    return answer;
  }

  /** The definition has no variables, so its texts are literal. */
  private async listed({ query: name, parameters = {}, sql }: ValueList): Promise<readonly string[]> {
    const params = Object.fromEntries(
      Object.entries(parameters).map(([parameter, value]) => [parameter, escapeVariables(value)])
    );
    const text =
      sql === undefined ? ({ mode: 'saved' } as const) : ({ mode: 'sql', sql: escapeVariables(sql) } as const);
    const query = { refId: VALUES_REF_ID, endpoint: { name }, params, ...text, format: 'table' } as const;
    const { fields } = variableFrame(await this.run(query));
    return (fields.find((field) => field.name === 'value')?.values as string[] | undefined) ?? [];
  }
}
