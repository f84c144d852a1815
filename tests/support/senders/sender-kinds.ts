/** Requests of shippers, by the way in which their events are recognized when they are sent again. */

export interface SentRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: number;
}

export interface SenderKind {
  readonly name: string;
  /** Whether a request that is sent again after a crash may be stored twice. */
  readonly mayDouble: boolean;
  /** @param n the number of the request, from zero */
  request(project: string, n: number): SentRequest;
}

const BATCH_EVENTS = 25;

const lines = (events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

/** Each event twice in the same batch, but for those with ids: equal events are different events. */
export const SENDER_KINDS: readonly SenderKind[] = [
  {
    name: 'events with ids',
    mayDouble: false,
    request: (project, n) => ({
      body: lines(
        Array.from({ length: BATCH_EVENTS }, (_, at) => ({ id: `${n}-${at}`, project, event_message: 'with an id' }))
      ),
      headers: {},
      events: BATCH_EVENTS,
    }),
  },
  {
    name: 'events with fractional times',
    mayDouble: false,
    request: (project, n) => {
      const timestamp = `${new Date().toISOString().slice(0, -1)}${100 + (n % 900)}Z`;
      const events = Array.from({ length: BATCH_EVENTS }, (_, at) => ({
        project,
        timestamp,
        event_message: `${n}, ${at >> 1}`,
      }));
      return { body: lines(events), headers: {}, events: BATCH_EVENTS };
    },
  },
  {
    name: 'equal bodies with Idempotency-Key',
    mayDouble: false,
    request: (project, n) => ({
      body: lines(Array.from({ length: BATCH_EVENTS }, () => ({ project, event_message: 'equal' }))),
      headers: { 'Idempotency-Key': `${project}-${n}` },
      events: BATCH_EVENTS,
    }),
  },
  {
    name: 'equal heartbeats without time',
    mayDouble: true,
    request: (project) => ({ body: lines([{ project, event_message: 'heartbeat' }]), headers: {}, events: 1 }),
  },
];
