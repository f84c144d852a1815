/**
 * Builds the data source's browser part into dist/: Grafana's own configuration with the places of our shared types and
 * our entry.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import CopyWebpackPlugin from 'copy-webpack-plugin';
import { type Configuration, type RuleSetRule } from 'webpack';
import grafanaConfig, { type Env } from './.config/webpack/webpack.config.ts';
import { webpackAlias } from './tools/own-imports.cjs';

const COMPILER = path.resolve('compiler');

/**
 * Builds the compiler's files for ES2018, in which a class such as `\p{L}` stays as it is. For the scaffold's target
 * each becomes a list of all its characters: 60 kB together.
 */
function withUnicodeClasses(rule: RuleSetRule): RuleSetRule[] {
  const { use } = rule;
  if (typeof use !== 'object' || !use || !('loader' in use) || use.loader !== 'swc-loader') return [rule];
  const { jsc } = use.options as { readonly jsc: object };
  return [
    { ...rule, exclude: [/node_modules/, COMPILER] },
    { ...rule, include: COMPILER, use: { ...use, options: { jsc: { ...jsc, target: 'es2018' } } } },
  ];
}

export default async function config(env: Env): Promise<Configuration> {
  // The scaffold's step that fills in versions reads this folder, wherever the output goes.
  mkdirSync(path.resolve('dist'), { recursive: true });
  const base = await grafanaConfig(env);
  return {
    ...base,
    entry: { module: path.resolve('src', 'module.ts') },
    // The backend is built into the same folder, by scripts/plugin/build-backend.mjs.
    output: { ...base.output, clean: { keep: /^(gpx_|backend\.cjs)/ } },
    plugins: [
      ...(base.plugins ?? []),
      // What plugin.json names; its pictures are links in src/img.
      new CopyWebpackPlugin({
        patterns: [
          { from: path.resolve('provisioning/dashboards/json/*.json'), to: 'dashboards/[name][ext]' },
          // The changelog at the top of the project is that of the whole service.
          { from: path.resolve('src/CHANGELOG.md'), to: '.', force: true },
        ],
      }),
    ],
    module: {
      ...base.module,
      rules: base.module?.rules?.flatMap((rule) =>
        typeof rule === 'object' && rule ? withUnicodeClasses(rule) : [rule]
      ),
    },
    resolve: { ...base.resolve, alias: webpackAlias },
  };
}
