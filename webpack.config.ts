/** Builds the data source's browser part into dist/: Grafana's own configuration, told where our shared types and our entry are. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import CopyWebpackPlugin from 'copy-webpack-plugin';
import { type Configuration } from 'webpack';
import grafanaConfig, { type Env } from './.config/webpack/webpack.config.ts';
import { webpackAlias } from './tools/own-imports.cjs';

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
    resolve: { ...base.resolve, alias: webpackAlias },
  };
}
