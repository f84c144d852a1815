/**
 * A ClickHouse engine (chDB) behind the part of ClickHouse's HTTP interface that `@clickhouse/client` uses. A process
 * of its own, because the engine is one per process and takes the process with it when it fails.
 *
 *   node front/main.mjs <data folder> [port]
 *
 * Prints `front listens on <url>` when it does, and ends with its standard input. Faults are set with POST
 * /front/rules, see rules.mjs.
 */
import { createServer } from 'node:http';
import { openEngine } from './engine.mjs';
import { serveQuery } from './serve-query.mjs';
import { createRules } from './rules.mjs';

const [dataDir, port = '0'] = process.argv.slice(2);
const rules = createRules();
const engine = openEngine(dataDir);
/** `http_max_uri_size` of a server, and room for the headers. */
const MAX_HEAD_BYTES = (1024 + 16) * 1024;
const server = createServer({ maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
  const url = new URL(request.url, 'http://front');
  void answer(url, request, response).catch((error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end(String(error?.message ?? error));
  });
});

server.listen(Number(port), '127.0.0.1', () => {
  console.log(`front listens on http://127.0.0.1:${server.address().port}`);
});
process.stdin.resume().on('end', () => process.exit(0));

async function answer(url, request, response) {
  if (url.pathname === '/front/rules') {
    rules.replace(JSON.parse((await readBody(request)).toString('utf8')));
    response.writeHead(204).end();
    return;
  }
  if (url.pathname === '/front/seen') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rules.seen()));
    return;
  }
  const body = await readBody(request);
  await serveQuery({ engine, rules, url, request, response, body });
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
