/**
 * Sends two events of one project and reads the newest events back. Sent again within the hour, both are recognized:
 * one by its id, the other by the key of the request, which has the same body then.
 *
 *   LQE_TOKEN=lqe_... node examples/send-logs.mjs acornharvestplatform
 */
const { LQE_URL = 'http://127.0.0.1:8080', LQE_TOKEN } = process.env;
const [project] = process.argv.slice(2);
if (!LQE_TOKEN || !project) {
  console.error('Set LQE_TOKEN, and name a project: node examples/send-logs.mjs acornharvestplatform');
  process.exit(1);
}

const startOfHour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
const headers = {
  'X-API-KEY': LQE_TOKEN,
  'Content-Type': 'application/json',
  'Idempotency-Key': `example-${startOfHour}`,
};
const events = [
  {
    id: `example-${startOfHour}`,
    timestamp: startOfHour,
    project,
    event_message: 'GET | 200 | /rest/v1/examples',
    metadata: { request: { method: 'GET', path: '/rest/v1/examples' }, response: { status_code: 200 } },
  },
  // Without an id and a time of its own: the Idempotency-Key identifies it, and it gets the time of its arrival.
  { project, event_message: 'GET | 404 | /rest/v1/nothing', metadata: { response: { status_code: 404 } } },
];

const sent = await fetch(new URL('/api/logs?source=edge_requests', LQE_URL), {
  method: 'POST',
  headers,
  body: JSON.stringify(events),
}).catch(noAnswer);
const answer = await sent.json();
console.log(sent.status, JSON.stringify(answer));
// Events that are wrong are reported by their index in an answer of status 200; the others are stored.
const isStored = sent.ok && answer.result.rejected === 0;
if (!isStored) process.exit(1);

const newest = await fetch(new URL(`/api/endpoints/query/logs.all?project=${encodeURIComponent(project)}`, LQE_URL), {
  headers,
}).catch(noAnswer);
const { result = [] } = await newest.json();
for (const { timestamp, event_message } of result.slice(0, 3)) {
  console.log(new Date(timestamp / 1000).toISOString(), event_message);
}
process.exitCode = newest.ok ? 0 : 1;

function noAnswer({ cause, message }) {
  console.error(`${LQE_URL} does not answer (${cause?.code ?? message}).`);
  process.exit(1);
}
