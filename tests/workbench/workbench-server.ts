/**
 * Stands where Grafana's server stands: serves the page and the built plugin, keeps the settings of one data source,
 * and hands queries, resources and health to the plugin's real backend process.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import { decodeFrame } from '../backend/support/decode-frame';
import type { PluginHost, SourceSettings } from '../backend/support/plugin-host';
import { OTHER_PACKAGES } from './build-page';
import { frameJson } from './frame-json';

const ROOT = path.resolve(__dirname, '..', '..');
const PACKAGES = OTHER_PACKAGES ?? path.join(ROOT, 'node_modules');
const ICONS = path.join(ROOT, 'node_modules', '@grafana', 'ui', 'dist', 'public', 'img', 'icons');
const MONACO = path.join(PACKAGES, 'monaco-editor');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const UID = 'workbench';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Workbench</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page/main.css" />
    <style>*, *::before, *::after { box-sizing: border-box } body { margin: 0; padding: 24px; height: auto; overflow: auto }</style>
    <script>window.grafanaBootData = { settings: {}, user: {}, navTree: [] }; window.__grafana_public_path__ = '/public/';</script>
  </head>
  <body><main></main><script src="/page/main.js"></script></body>
</html>`;

interface Settings {
  readonly url: string;
  readonly jsonData: object;
  readonly secureJsonData: Readonly<Record<string, string>>;
}

export interface Workbench {
  readonly url: string;
  /** What a person would have saved. */
  save(source: SourceSettings): void;
  stop(): Promise<void>;
}

export async function startWorkbench(
  host: PluginHost,
  folders: { readonly page: string; readonly plugin: string }
): Promise<Workbench> {
  let settings: Settings = { url: '', jsonData: {}, secureJsonData: {} };
  let updatedMs = 1;
  const source = (): SourceSettings => ({
    uid: UID,
    url: settings.url,
    jsonData: settings.jsonData,
    secure: settings.secureJsonData,
    updatedMs,
  });
  const keep = (changed: Settings): void => {
    settings = { ...changed, secureJsonData: { ...settings.secureJsonData, ...changed.secureJsonData } };
    updatedMs++;
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://workbench');
    const resource = new RegExp(`^/api/datasources/uid/${UID}/resources/(.+)$`).exec(pathname)?.[1];
    if (pathname === '/') return sendBytes(res, 'text/html', PAGE);
    if (pathname.startsWith('/page/')) return sendFile(res, folders.page, pathname.slice('/page/'.length));
    // Older versions fetch the editor; newer ones have it in the page.
    if (pathname.startsWith('/public/lib/monaco/'))
      return sendFile(res, MONACO, pathname.slice('/public/lib/monaco/'.length));
    if (pathname.startsWith('/public/build/img/icons/'))
      return sendFile(res, ICONS, pathname.slice('/public/build/img/icons/'.length));
    if (pathname.startsWith(`/public/plugins/${PLUGIN_ID}/`))
      return sendFile(res, folders.plugin, pathname.slice(`/public/plugins/${PLUGIN_ID}/`.length));
    if (pathname === '/workbench/settings') {
      if (req.method === 'PUT') keep((await bodyOf(req)) as Settings);
      return sendJson(res, 200, settingsForBrowser(settings));
    }
    if (pathname === '/api/ds/query') return sendJson(res, ...(await runQueries(host, source(), await bodyOf(req))));
    if (pathname === `/api/datasources/uid/${UID}/health`) {
      const { status, message, details } = await host.health(source());
      return sendJson(res, status === 1 ? 200 : 400, { status: status === 1 ? 'OK' : 'ERROR', message, details });
    }
    if (resource) {
      const body = req.method === 'POST' ? await bodyOf(req) : undefined;
      const { code, body: answer } = await host.resource(source(), req.method ?? 'GET', resource, body);
      return sendJson(res, code, answer);
    }
    return sendJson(res, 404, { message: `Nothing is at ${pathname}` });
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => sendJson(res, 500, { message: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    save: ({ url, jsonData = {}, secure = {} }) => keep({ url, jsonData, secureJsonData: secure }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Secrets stay here; the browser learns which ones there are. */
function settingsForBrowser({ url, jsonData, secureJsonData }: Settings): object {
  return {
    id: 1,
    uid: UID,
    name: 'Log Query Endpoints',
    type: PLUGIN_ID,
    access: 'proxy',
    readOnly: false,
    url,
    jsonData,
    secureJsonData: {},
    secureJsonFields: Object.fromEntries(Object.keys(secureJsonData).map((key) => [key, true])),
  };
}

interface QueriesBody {
  readonly from: string;
  readonly to: string;
  readonly queries: ReadonlyArray<{
    readonly refId: string;
    readonly intervalMs?: number;
    readonly maxDataPoints?: number;
  }>;
}

async function runQueries(host: PluginHost, source: SourceSettings, body: unknown): Promise<[number, object]> {
  const { from, to, queries } = body as QueriesBody;
  const answers = await host.query(
    source,
    queries.map((query) => ({
      refId: query.refId,
      query,
      from: Number(from),
      to: Number(to),
      intervalMs: query.intervalMs,
      maxDataPoints: query.maxDataPoints,
    }))
  );
  const results = Object.entries(answers).map(([refId, { frames, error, errorSource, status }]) => [
    refId,
    { status, frames: frames.map((bytes) => frameJson(decodeFrame(bytes))), ...(error ? { error, errorSource } : {}) },
  ]);
  return [Object.values(answers).some(({ error }) => error) ? 207 : 200, { results: Object.fromEntries(results) }];
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

async function sendFile(res: ServerResponse, folder: string, name: string): Promise<void> {
  const file = path.join(folder, path.posix.normalize(`/${name}`));
  sendBytes(res, TYPES[path.extname(file)] ?? 'application/octet-stream', await readFile(file));
}

function sendBytes(res: ServerResponse, type: string, bytes: string | Buffer): void {
  res.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=3600' }).end(bytes);
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
