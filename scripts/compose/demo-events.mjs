/**
 * Keeps a running server filled with sample events: seven days back at first, then live until it is stopped. For
 * containers, where the server is not this script's child; `npm run demo` does the same beside its own server.
 *
 *   LQE_URL=http://127.0.0.1:8080 LQE_TOKEN=... node scripts/compose/demo-events.mjs [FOLDER]
 *
 * FOLDER remembers what was sent.
 */
import { runDemo } from '../../build/server/cli/demo/run-demo.js';

const { LQE_URL: url, LQE_TOKEN: token } = process.env;
if (!url || !token) {
  console.error('LQE_URL and LQE_TOKEN must be set.');
  process.exit(1);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
try {
  await runDemo({
    url,
    token,
    folder: process.argv[2] ?? '.',
    days: 7,
    seed: 1,
    fillMs: 20_000,
    signal: stopping.signal,
    onLive: ({ stored }) => console.log(`Stored ${stored} sample events of the time before now; sending live ones.`),
    onNote: (text) => console.log(text),
  });
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'ImportError') throw error;
  console.error(error.message);
  process.exitCode = 1;
}
