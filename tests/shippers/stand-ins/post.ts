/** One request over kept-alive connections. */
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Poster {
  /** @returns the status; 0 where the connection fails. */
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number>;
  close(): void;
}

export function openPoster(): Poster {
  const agent = new Agent({ keepAlive: true });
  return {
    post: (url, headers, body) =>
      new Promise((resolve) => {
        const sent = request(url, { agent, method: 'POST', headers: { ...headers, 'Content-Length': body.length } });
        sent.on('error', () => resolve(0));
        sent.on('response', (answer) => {
          buffer(answer).then(
            () => resolve(answer.statusCode!),
            () => resolve(0)
          );
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
