/**
 * The reference and both stores over the same tables: the fixture events, as saved queries and the sandbox of logs.all
 * see them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ServiceError } from '#contract/errors';
import { openFixtureStore, readDefinition, runCase } from '../../support/cases/sql/queries';
import type { OpenStore, StoreName } from '../../support/stores/current';
import { compareOutcomes, type Verdict } from './compare-outcomes';
import { failed, type Outcome, parseExact, type StoreOutcome } from './outcome';
import { Reference } from './reference';
import { tableText } from './table-text';

export interface Text {
  readonly sql: string;
  /** Runs as a saved query with these parameters. @default ad-hoc, in the sandbox of logs.all */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Limits {
  /** See HowToCompare. @default 0 */
  readonly tolerance?: number;
  /** Largest time of the reference. */
  readonly seconds?: number;
}

export interface Comparison {
  readonly store: StoreName;
  readonly verdict: Verdict;
  readonly reference: Outcome;
  readonly ours: StoreOutcome;
}

export const STORES = (process.env['LQE_REFERENCE_STORES'] ?? 'duckdb,clickhouse').split(',') as readonly StoreName[];

const ROOT = join(__dirname, '..', '..', '..');
const LOGS = readDefinition('logs.all');
const ENDS_ORDERED = /\border by(?:[^()]|\([^()]*\))*$/i;
const SANDBOX = [...LOGS.query.matchAll(/(\w+) AS \(\n/g)].map((match) => match[1] as string);
const SOURCES = (
  parse(readFileSync(join(ROOT, 'sources.yaml'), 'utf8')) as {
    sources: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  }
).sources;

/** As runCase binds them: an empty parameter is NULL. */
function parametersOf({ parameters }: Text): Readonly<Record<string, string | null>> {
  const given = parameters ?? Object.fromEntries(LOGS.parameters.map(({ name }) => [name, '']));
  const entries = Object.entries(parameters === undefined ? { ...given, project: 'abcd' } : given);
  return Object.fromEntries(entries.map(([name, value]) => [name, value || null]));
}

export class Sides {
  private constructor(
    readonly reference: Reference,
    private readonly stores: ReadonlyMap<StoreName, OpenStore>
  ) {}

  static async open(): Promise<Sides> {
    const opened = await Promise.all(STORES.map(async (name) => [name, await openFixtureStore(name)] as const));
    const sides = new Sides(new Reference(), new Map(opened));
    for (const name of SANDBOX) await sides.copyTable(name, { sql: `select * from ${name}` });
    for (const { name, aliases } of SOURCES)
      for (const alias of [name, ...aliases])
        await sides.copyTable(alias, { sql: `select * from \`${name}\``, parameters: {} });
    return sides;
  }

  async compare(text: Text, { tolerance = 0, seconds }: Limits = {}): Promise<readonly Comparison[]> {
    const parameters = parametersOf(text);
    const [reference, ...outcomes] = await Promise.all([
      this.reference.run(text.sql, parameters, seconds),
      ...STORES.map((store) => this.runHere(store, text)),
    ]);
    return STORES.map((store, index) => {
      const ours = outcomes[index] as StoreOutcome;
      return {
        store,
        verdict: compareOutcomes(reference, ours, { isOrdered: ENDS_ORDERED.test(text.sql), tolerance }),
        reference,
        ours,
      };
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.reference.close(), ...[...this.stores.values()].map((store) => store.close())]);
  }

  private async runHere(store: StoreName, { sql, parameters }: Text): Promise<StoreOutcome> {
    try {
      const { fields, rows, truncated } = await this.rowsOf(store, { sql, ...(parameters && { parameters }) });
      const columns = fields.map(({ name, type }) => ({ name, type: String(type) }));
      return {
        columns,
        rows: rows.map((row) => columns.map(({ name }) => row[name] ?? null)),
        isTruncated: truncated,
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) return failed(String(error));
      const { reason } = error.details;
      return failed(error.message, { code: error.code, ...(reason !== undefined && { reason: String(reason) }) });
    }
  }

  private async rowsOf(store: StoreName, { sql, parameters }: Text) {
    const { store: opened } = this.stores.get(store) as OpenStore;
    const testCase = { name: sql, sql, ...(parameters && { saved: true, parameters }) };
    const { bytes, fields, truncated } = await runCase(opened, LOGS, testCase);
    const { result } = parseExact(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] };
    return { fields, rows: result, truncated };
  }

  private async copyTable(name: string, text: Text): Promise<void> {
    const { fields, rows } = await this.rowsOf(STORES[0] as StoreName, text);
    const columns = fields.map((field) => ({ name: field.name, type: String(field.type) }));
    await this.reference.define(name, tableText(columns, rows));
  }
}
