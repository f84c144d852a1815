/** What the sender of a request knows when its connection closes, for the deliveries of the request. */
import type { ServerResponse } from 'node:http';
import type { Delivery } from '../../ingest/deliveries';

export class IngestReceipt {
  private readonly res: ServerResponse;
  private readonly deliveries: Delivery[] = [];
  private isStored = false;

  constructor(res: ServerResponse) {
    this.res = res;
    res.once('close', () => {
      for (const delivery of this.deliveries) delivery.end(this.isStored && res.writableFinished);
    });
  }

  add(delivery: Delivery): void {
    if (this.res.closed) delivery.end(false);
    else this.deliveries.push(delivery);
  }

  /** Everything of the request that can be stored is on disk: its answer acknowledges it, whatever the status. */
  noteStored(): void {
    this.isStored = true;
  }
}
