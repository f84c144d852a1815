/**
 * One request of ClickHouse's HTTP interface: the parameters of its URL, users, exceptions before and in the middle of
 * an answer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, createGzip } from 'node:zlib';
import { once } from 'node:events';

/** `reader` is what operators make for queries: it may change settings but no data. */
const USERS = { default: { password: '' }, writer: { password: 'write' }, reader: { password: 'read', readonly: '2' } };

const OWN_PARAMETERS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'role',
  'user',
  'password',
  'enable_http_compression',
  'wait_end_of_query',
  'cancel_http_readonly_queries_on_client_close',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
]);
/** `http_max_field_value_size` of a server. */
const MAX_FIELD_BYTES = 128 * 1024;
const STATUS_BY_CODE = {
  60: 404,
  81: 404,
  46: 404,
  164: 403,
  497: 403,
  516: 403,
  159: 408,
  241: 500,
  62: 400,
  47: 400,
};

export async function serveQuery({ engine, rules, url, request, response, body }) {
  if (url.pathname === '/ping') {
    const fault = rules.take('ping', {});
    if (await strike(fault, request, response)) return;
    response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end('Ok.\n');
    return;
  }
  const user = authenticate(request);
  if (user === null) {
    return exception(response, 516, 'Authentication failed: wrong user or password. (AUTHENTICATION_FAILED)');
  }
  const inflated = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  const form = [...(await formOf(request, inflated))];
  if (lengthsOf(url, form).some((bytes) => bytes > MAX_FIELD_BYTES))
    return exception(response, 1000, 'HTML Form Exception: Field value too long');
  for (const [name, value] of form) url.searchParams.set(name, value);
  const inUrl = url.searchParams.get('query');
  const sql = inUrl ?? inflated.toString('utf8');
  const statement = { ...readParameters(url, user), id: url.searchParams.get('query_id') || randomUUID(), sql };
  statement.format = url.searchParams.get('default_format') ?? 'TabSeparated';
  if (inUrl !== null && !isForm(request)) statement.data = inflated;
  const headers = { 'x-clickhouse-query-id': statement.id, 'x-clickhouse-timezone': 'UTC' };

  const fault = rules.take(sql, statement.settings);
  if (fault.profile !== undefined) statement.settings = { ...JSON.parse(fault.profile), ...statement.settings };
  if (!fault.after && (await strike(fault, request, response))) return;
  if (fault.answer !== undefined) return void response.writeHead(200, headers).end(fault.answer);
  try {
    const kill = /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([^']*)'|\{(\w+)\s*:\s*String\})/i.exec(sql);
    if (kill !== null) void engine.kill(kill[1] ?? statement.parameters[kill[2]]);
    else if (isRead(sql)) return await answerRead({ engine, statement, url, request, response, headers, fault });
    const answer = kill === null ? await engine.run(statement) : Buffer.alloc(0);
    if (fault.after && (await strike(fault, request, response))) return;
    response.writeHead(200, { ...headers, 'x-clickhouse-summary': '{}' }).end(answer);
  } catch (error) {
    exception(response, codeOf(error), textOf(error), headers);
  }
}

/** Parameters too long for a URL come as a form. */
/** Bytes of the fields as a server counts them: those of a URL as they are encoded. */
function lengthsOf(url, form) {
  const inUrl = url.search.split('&').map((field) => field.length - field.indexOf('=') - 1);
  return [...inUrl, ...form.map(([, value]) => Buffer.byteLength(value, 'utf8'))];
}

async function formOf(request, body) {
  if (!isForm(request)) return [];
  const headers = { 'content-type': request.headers['content-type'] };
  return await new Response(body, { headers }).formData();
}

function isForm(request) {
  return /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');
}

function authenticate(request) {
  const { authorization = '' } = request.headers;
  const [name, password] = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(/:(.*)/s)
    : [request.headers['x-clickhouse-user'] ?? 'default', request.headers['x-clickhouse-key'] ?? ''];
  const user = Object.hasOwn(USERS, name) ? USERS[name] : undefined;
  return user?.password === password ? user : null;
}

function readParameters(url, { readonly }) {
  const parameters = {};
  const settings = {};
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = value;
    else if (!OWN_PARAMETERS.has(name)) settings[name] = value;
  }
  const database = url.searchParams.get('database');
  // Last, since nothing can be set after it.
  const level = readonly ?? settings.readonly;
  delete settings.readonly;
  return { parameters, settings: { ...settings, ...(level && { readonly: level }) }, database };
}

/** What the engine streams. */
function isRead(sql) {
  return /^\s*(?:\/\*.*?\*\/\s*)*\(?\s*(?:SELECT|WITH)\b/is.test(sql);
}

async function answerRead({ engine, statement, url, request, response, headers, fault }) {
  const tag = randomUUID().replaceAll('-', '').slice(0, 16);
  const isCompressed =
    url.searchParams.get('enable_http_compression') === '1' && /gzip/.test(request.headers['accept-encoding'] ?? '');
  // The whole result before the response begins.
  const isWhole = url.searchParams.get('wait_end_of_query') === '1';
  let out = null;
  let sent = 0;
  const begin = () => {
    if (out !== null) return;
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/octet-stream',
      'x-clickhouse-exception-tag': tag,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    });
    out = isCompressed ? createGzip() : response;
    if (isCompressed) out.pipe(response);
  };
  let isGone = false;
  response.on('close', () => {
    isGone = true;
    if (!response.writableFinished && url.searchParams.get('cancel_http_readonly_queries_on_client_close') === '1') {
      void engine.kill(statement.id);
    }
  });
  const send = async (chunk) => {
    begin();
    const cut = fault.cutAfterBytes ?? fault.raiseAfterBytes;
    if (cut !== undefined && sent + chunk.length >= cut) {
      out.write(chunk.subarray(0, cut - sent));
      await delay(20);
      if (fault.raiseAfterBytes !== undefined) throw raised(fault);
      response.destroy();
      throw new Error('cut');
    }
    sent += chunk.length;
    if (!isGone && !out.write(chunk)) await Promise.race([once(out, 'drain'), once(response, 'close')]);
  };
  try {
    if (isWhole) {
      const answer = await engine.readWhole(statement);
      if (answer.length > 0 && fault.raiseAfterBytes !== undefined) throw raised(fault);
      if (answer.length > 0) await send(answer);
    } else {
      await engine.read(statement, send);
    }
    begin();
    if (fault.after && (await strike(fault, request, response))) return;
    out.end();
  } catch (error) {
    if (out === null) return exception(response, codeOf(error), textOf(error), headers);
    if (response.destroyed) return;
    // The framing of releases since 25.11.
    const text = textOf(error);
    const length = Buffer.byteLength(`${text}\n`);
    out.end(`\r\n__exception__\r\n${tag}\r\n${text}\n${length} ${tag}\r\n__exception__\r\n`);
  }
}

function raised({ code = 241, message }) {
  return new Error(`Code: ${code}. DB::Exception: ${message}`);
}

/** @returns whether the request has its answer with that */
async function strike(fault, request, response) {
  if (fault.die) process.kill(process.pid, 'SIGKILL');
  if (fault.delayMs !== undefined) await delay(fault.delayMs);
  if (fault.reset) request.socket.destroy();
  else if (fault.status !== undefined) response.writeHead(fault.status).end('<html>gateway</html>');
  else if (fault.code !== undefined && fault.raiseAfterBytes === undefined)
    exception(response, fault.code, fault.message);
  else return false;
  return true;
}

function exception(response, code, text, headers = {}) {
  const message = text.startsWith('Code: ') ? text : `Code: ${code}. DB::Exception: ${text}`;
  response.writeHead(STATUS_BY_CODE[code] ?? 500, { ...headers, 'x-clickhouse-exception-code': String(code) });
  response.end(`${message}\n`);
}

function codeOf(error) {
  return Number(/^Code: (\d+)\./.exec(textOf(error))?.[1] ?? 1001);
}

function textOf(error) {
  return String(error?.message ?? error);
}
