/** Series with the names of saved queries: those of deleted and renamed ones are removed before a scrape. */
import type { Definitions } from '../../catalog/definitions/definitions';

/** Name of a saved query that was deleted before its run began. */
export const UNKNOWN_QUERY = 'unknown';

interface LabeledMetric {
  remove(labels: Readonly<Record<string, string>>): void;
}

/** The series of metrics with the label `endpoint` and another one. */
export class QuerySeries {
  private readonly names = new Set<string>();

  /** @param values all values of the other label */
  constructor(
    private readonly definitions: Pick<Definitions, 'find'>,
    private readonly label: string,
    private readonly values: readonly string[]
  ) {}

  note(name: string): void {
    this.names.add(name);
  }

  removeDeleted(...metrics: readonly LabeledMetric[]): void {
    for (const name of this.names) {
      if (name === UNKNOWN_QUERY || this.definitions.find(name)) continue;
      this.names.delete(name);
      for (const value of this.values)
        for (const metric of metrics) metric.remove({ endpoint: name, [this.label]: value });
    }
  }
}
