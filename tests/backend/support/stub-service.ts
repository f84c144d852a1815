/** A small HTTP server that answers as a test says: for failures that a healthy service does not have. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubService {
  readonly url: string;
  /** Every request so far. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Requests whose caller went away before the answer. */
  abandoned: number;
  close(): Promise<void>;
}

export type StubAnswer = (req: IncomingMessage, res: ServerResponse) => void;

export async function startStub(answer: StubAnswer): Promise<StubService> {
  const stub: StubService = {
    url: '',
    requests: [],
    abandoned: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((req, res) => {
    stub.requests.push({ method: req.method!, url: req.url!, headers: req.headers });
    res.on('close', () => {
      if (!res.writableFinished) stub.abandoned++;
    });
    req.resume().on('end', () => answer(req, res));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** An error in the shape of the service. */
export function serviceError(
  res: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {}
): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'stub-1', ...headers });
  res.end(JSON.stringify({ error: { code, message: `The stub says ${code}.`, details: { request_id: 'stub-1' } } }));
}
