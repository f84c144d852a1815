/** A call as source text of other programs. Values are quoted by the rules of each language. */
import { callUrl, type RunRequest } from '../../api/run-query';

export function curlCall(request: RunRequest): string {
  const { origin, pathname, searchParams } = new URL(callUrl(request));
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
  return [
    `const response = await fetch(${JSON.stringify(callUrl(request))}, {`,
    `  headers: { 'X-API-KEY': process.env.LQE_TOKEN },`,
    `});`,
    `const body = await response.json();`,
    'if (!response.ok) throw new Error(`${body.error.code}: ${body.error.message}`);',
    `console.table(body.result);`,
  ].join('\n');
}

export function pythonCall(request: RunRequest): string {
  // A JSON string of ASCII characters is a string of Python, too.
  const url = JSON.stringify(callUrl(request));
  return [
    'import json, os, urllib.request',
    '',
    `request = urllib.request.Request(${url}, headers={"X-API-KEY": os.environ["LQE_TOKEN"]})`,
    'with urllib.request.urlopen(request) as response:',
    '    for row in json.load(response)["result"]:',
    '        print(row)',
  ].join('\n');
}
