/** Warnings of values without a name in queries: for each source a line at once, and then at most once a minute. */
import { RepeatedWarning, type WarningLogger } from '../../../monitoring/repeated-warning';
import type { RefusedFields } from '../../../stores/store';

const MESSAGE = 'values of events get no name in queries, since there is no room for another field; they are stored';

export class RefusedFieldsWarning {
  private readonly bySource = new Map<string, RepeatedWarning>();

  constructor(private readonly logger: WarningLogger) {}

  log(refused: RefusedFields): void {
    const { source } = refused;
    const clock = { monotonicMs: () => performance.now() };
    const warning = this.bySource.get(source) ?? new RepeatedWarning(this.logger, clock, MESSAGE);
    this.bySource.set(source, warning);
    warning.log({ ...refused });
  }
}
