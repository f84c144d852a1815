/** Compares the response to a request, in the form of its protocol, with the outcomes of the events of a request. */
import { outcomesOf } from '../http/bulk';
import { type Expected, type HttpAttempt, storedCount } from './tenant-protocols';

export interface ProtocolAnswer {
  readonly status: number;
  readonly text: string;
}

export function expectAnswer({ protocol, expected }: HttpAttempt, { status, text }: ProtocolAnswer): void {
  const body = (text === '' ? {} : JSON.parse(text)) as ProtocolBody;
  if (expected.refused !== null) {
    expect([status, body.error?.code]).toEqual(expected.refused);
    if (protocol === 'collector') expect(body).toMatchObject({ text: 'Invalid token', code: 4 });
    if (protocol === 'bulk') expect(body).toMatchObject({ status, error: { type: expected.refused[1] } });
    return;
  }
  CHECKS[protocol](expected, status, body);
}

interface ProtocolBody {
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, unknown>> };
  readonly result?: { readonly errors: readonly { readonly index: number; readonly code: string }[] };
}

type Check = (expected: Expected, status: number, body: ProtocolBody) => void;

const CHECKS: Readonly<Record<HttpAttempt['protocol'], Check>> = {
  bulk({ outcomes }, status, body) {
    expect(status).toBe(200);
    const found = outcomesOf(body as unknown as Parameters<typeof outcomesOf>[0]).map(([, , , outcome]) => outcome);
    expect(found).toEqual(outcomes.map((outcome) => (outcome === 'stored' ? 201 : outcome)));
  },
  events(expected, status, { result }) {
    expect(status).toBe(200);
    const errors = expected.outcomes.flatMap((code, index) => (code === 'stored' ? [] : [{ index, code }]));
    expect(result).toMatchObject({ accepted: storedCount(expected), rejected: errors.length, errors });
  },
  collector(expected, status, body) {
    if (isStored(expected)) return void expect([status, body]).toEqual([200, { text: 'Success', code: 0 }]);
    const [code, text] = expected.outcomes.find(isRefusal) === 'no_source' ? [7, 'Incorrect index'] : [6, 'Invalid data format']; // prettier-ignore
    expect([status, body]).toMatchObject([400, { code, text, 'invalid-event-number': firstRefused(expected) }]);
    expectCounts(expected, body);
  },
  loki(expected, status, body) {
    if (isStored(expected)) return void expect(status).toBe(204);
    expect(status).toBe(400);
    expectCounts(expected, body);
  },
};

const isRefusal = (outcome: string): boolean => outcome !== 'stored';
const isStored = ({ outcomes }: Expected): boolean => !outcomes.some(isRefusal);
const firstRefused = ({ outcomes }: Expected): number => outcomes.findIndex(isRefusal);

function expectCounts(expected: Expected, { error }: ProtocolBody): void {
  const accepted = storedCount(expected);
  const rejected = expected.outcomes.length - accepted;
  expect(error).toMatchObject({ code: 'body_invalid', details: { reason: expected.outcomes.find(isRefusal) } });
  // A request of which nothing is stored has no counts.
  if (accepted > 0) expect(error!.details).toMatchObject({ accepted, rejected });
}
