/** A call as source text of other programs. Values are quoted by the rules of each language. */
import { callUrl, type RunRequest } from '../../../api/run-query';

/** Characters of an address that every proxy takes; a longer call has its parameters and its text in a body. */
const MAX_URL = 4000;

interface WrittenCall {
  readonly url: string;
  /** JSON; null: everything is in the URL. */
  readonly body: string | null;
}

function writtenCall(request: RunRequest): WrittenCall {
  const url = callUrl(request);
  if (url.length <= MAX_URL) return { url, body: null };
  const { query, parameters, adhoc } = request;
  const body = { params: parameters, ...(adhoc && { [adhoc.language]: adhoc.text }) };
  return { url: callUrl({ query, parameters: {}, adhoc: null }), body: JSON.stringify(body) };
}

export function curlCall(request: RunRequest): string {
  const { url, body } = writtenCall(request);
  if (body !== null)
    return [
      `curl -sS -H "X-API-KEY: $LQE_TOKEN" -H 'Content-Type: application/json' ${shellQuoted(url)}`,
      `  --data-binary @- <<'END'\n${body}\nEND`,
    ].join(' \\\n');
  const { origin, pathname, searchParams } = new URL(url);
  const lines = [
    `curl -sS -G -H "X-API-KEY: $LQE_TOKEN" ${shellQuoted(`${origin}${pathname}`)}`,
    ...[...searchParams].map(([name, value]) => `  --data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n');
}

/** In single quotes a shell reads nothing but the closing one. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function javascriptCall(request: RunRequest): string {
  const { url, body } = writtenCall(request);
  const type = body === null ? '' : `, 'Content-Type': 'application/json'`;
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(body === null ? [] : [`  method: 'POST',`, `  body: ${JSON.stringify(body)},`]),
    `  headers: { 'X-API-KEY': process.env.LQE_TOKEN${type} },`,
    `});`,
    `const { result, error } = await response.json();`,
    'if (!response.ok) throw new Error(`${error.code}: ${error.message}`);',
    `console.table(result);`,
  ].join('\n');
}

export function pythonCall(request: RunRequest): string {
  const { url, body } = writtenCall(request);
  const type = body === null ? '' : ', "Content-Type": "application/json"';
  const data = body === null ? '' : `\n    data=${pythonText(body)}.encode(),`;
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${pythonText(url)},${data}`,
    `    headers={"X-API-KEY": os.environ["LQE_TOKEN"]${type}},`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    for row in json.load(response)["result"]:',
    '        print(row)',
  ].join('\n');
}

/**
 * A JSON string is one of Python, too, once its characters are ASCII: surrogate pairs are two characters there, so that
 * each character has its own number.
 */
function pythonText(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (each) => {
    const code = each.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
