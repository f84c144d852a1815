/** A job that stays: an Express app with one route, which sends what it was given. */
import type { AddressInfo } from 'node:net';
import express from 'express';

export interface BareAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

process.once('message', ({ path, headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, 'base64');
  const app = express();
  app.disable('x-powered-by');
  app.get(path, (_req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.end(bytes);
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
