/**
 * Sends an ad-hoc query to the sandbox of the saved query logs.all and prints the rows: SQL from a `.sql` file, LQL
 * from a `.lql` file.
 *
 *   LQE_TOKEN=lqe_... node examples/run-query.mjs examples/queries/failed-calls-by-path.sql acornharvestplatform
 */
import { readFileSync } from 'node:fs';

const { LQE_URL = 'http://127.0.0.1:8080', LQE_TOKEN } = process.env;
const [file, project] = process.argv.slice(2);
if (!LQE_TOKEN || !file || !project) {
  console.error('Set LQE_TOKEN, and name a file of a query and a project.');
  process.exit(1);
}
const language = file.endsWith('.lql') ? 'lql' : 'sql';

// A long query goes into the body. The parameters of the saved query are needed all the same: they confine what can be
// read.
const answer = await fetch(new URL('/api/endpoints/query/logs.all', LQE_URL), {
  method: 'POST',
  headers: { 'X-API-KEY': LQE_TOKEN, 'Content-Type': 'application/json' },
  body: JSON.stringify({ params: { project }, [language]: readFileSync(file, 'utf8') }),
}).catch(noAnswer);
const body = await answer.json();

if (answer.ok) {
  console.table(body.result);
  if (answer.headers.get('SVC-ENDPOINT-TRUNCATED') === 'true') console.log('There are more rows than these.');
} else {
  // Programs should look at the code; people read the message.
  const { code, message, details } = body.error;
  const { line, column } = details.position ?? {};
  console.error(`${code}: ${message}${line ? ` (line ${line}, column ${column})` : ''}`);
  if (details.hint) console.error(details.hint);
  process.exitCode = 1;
}

function noAnswer({ cause, message }) {
  console.error(`${LQE_URL} does not answer (${cause?.code ?? message}).`);
  process.exit(1);
}
