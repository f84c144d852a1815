/** The built console in memory: one page, and assets with their compressed forms. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface ConsoleFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Null: none was built. */
  readonly gzip: Uint8Array | null;
  readonly br: Uint8Array | null;
}

export interface ConsoleFiles {
  readonly page: ConsoleFile;
  /** Digest of the page's bytes. */
  readonly pageDigest: string;
  /** By name; each name has a digest of the contents. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** @returns null: the console was not built into this folder */
export function readConsole(folder: string): ConsoleFiles | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const page = readConsoleFile(folder, 'index.html');
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => extname(name) in CONTENT_TYPES);
  return {
    page,
    pageDigest: createHash('sha256').update(page.bytes).digest('base64url').slice(0, 22),
    assets: new Map(names.map((name) => [name, readConsoleFile(assets, name)])),
  };
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const file = join(folder, name);
  const readForm = (form: string): Uint8Array | null => (existsSync(file + form) ? readFileSync(file + form) : null);
  return {
    contentType: CONTENT_TYPES[extname(name)]!,
    bytes: readFileSync(file),
    gzip: readForm('.gz'),
    br: readForm('.br'),
  };
}
