/**
 * Builds what the workbench serves: the plugin's browser part as it is shipped, and the page that stands in for
 * Grafana's.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = path.resolve(__dirname, '..', '..');
/**
 * What Grafana hands to plugins: the page has it from another folder where the tests run with an older Grafana's
 * packages.
 */
const HANDED = [
  '@emotion/css',
  '@emotion/react',
  '@grafana/data',
  '@grafana/runtime',
  '@grafana/ui',
  'moment',
  'react',
  'react-dom',
  'rxjs',
];
/** A `node_modules`; see CONTRIBUTING.md. */
export const OTHER_PACKAGES = process.env.LQE_GRAFANA_PACKAGES || undefined;

function grafanaVersion(): string {
  const manifest = path.join(OTHER_PACKAGES ?? path.join(ROOT, 'node_modules'), '@grafana', 'data', 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

export async function buildPage(out: string): Promise<{ page: string; plugin: string }> {
  const page = path.join(out, 'page');
  const plugin = path.join(out, 'plugin');
  await build({
    entryPoints: [path.join(__dirname, 'page', 'main.tsx')],
    outfile: path.join(page, 'main.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    define: {
      'process.env.NODE_ENV': '"production"',
      global: 'window',
      GRAFANA_VERSION: JSON.stringify(grafanaVersion()),
    },
    loader: { '.ttf': 'dataurl', '.svg': 'dataurl' },
    jsx: 'transform',
    // Named in branches for Node, which a browser does not take.
    external: OTHER_PACKAGES ? ['fs', 'stream', 'tty', 'util'] : [],
    alias: Object.fromEntries(OTHER_PACKAGES ? HANDED.map((name) => [name, path.join(OTHER_PACKAGES, name)]) : []),
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const webpack = path.join(ROOT, 'node_modules', 'webpack', 'bin', 'webpack.js');
  const args = [webpack, '-c', './webpack.config.ts', '--env', 'production', '--output-path', plugin];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
  return { page, plugin };
}
