/**
 * Ends the deliveries of a request when its connection closes: acknowledged if the events were stored and the response
 * was sent completely.
 */
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

  /** Marks the request as stored: its response acknowledges the events, with every status. */
  noteStored(): void {
    this.isStored = true;
  }
}
