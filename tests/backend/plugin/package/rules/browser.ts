/** Rules for the browser part: module.js and its source map. */
import path from 'node:path';
import { type Rule, textOf, unless, withFile } from './rule';

const MAX_BYTES = 400_000;
const ALLOWED_HOSTS = ['localhost'];
const URL_HOST = /https?:\/\/([\w-]+(?:\.[\w-]+)+|localhost)/g;
const ANGULAR = [
  'PanelCtrl',
  'ConfigCtrl',
  '"QueryCtrl"',
  "'QueryCtrl'",
  'app/plugins/sdk',
  'angular.isNumber(',
  'editor.html',
  'ctrl.annotation',
  'getLegacyAngularInjector',
];
/** What only some of the supported versions of Grafana provide, or no version allows. */
const NOT_FOR_EVERY_HOST = ['jsx-runtime', 'ReactCurrentOwner', 'i18next', 'ZodType'];
/** What every Grafana from 10.1.5 on provides to a plugin. */
const PROVIDED = [
  '@emotion/css',
  '@emotion/react',
  '@grafana/data',
  '@grafana/runtime',
  '@grafana/ui',
  'lodash',
  'module',
  'moment',
  'react',
  'react-dom',
  'rxjs',
  'rxjs/operators',
];

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
}

const scriptWith = (add: string) => (pluginPackage: Parameters<Rule['damage']>[0]) =>
  withFile(pluginPackage, 'module.js', `${textOf(pluginPackage, 'module.js')}\n${add}`);

const contains = (words: readonly string[]) => (pluginPackage: Parameters<Rule['problems']>[0]) => {
  const script = textOf(pluginPackage, 'module.js');
  return words.filter((word) => script.includes(word));
};

export const BROWSER_RULES: readonly Rule[] = [
  {
    name: 'missing-modulejs',
    title: 'module.js is in the package, and below 400 kB',
    problems: (pluginPackage) => {
      const size = textOf(pluginPackage, 'module.js').length;
      return unless(size > 0 && size < MAX_BYTES, `${size} bytes`);
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'module.js', null),
  },
  {
    name: 'js-map-not-found, js-map-invalid, js-map-no-match',
    title: 'the source map has the sources of the project, unchanged',
    problems: (pluginPackage) => {
      const map = JSON.parse(textOf(pluginPackage, 'module.js.map') || '{"sources":[]}') as SourceMap;
      const own = map.sources
        .map((source, at) => ({
          name: path.posix.join('src', source.replace(/^webpack:\/\/[^/]+\//, '')),
          content: map.sourcesContent[at],
        }))
        .filter(({ name }) => /\.tsx?$/.test(name));
      const different = own
        .filter(({ name, content }) => pluginPackage.project.get(name)?.read().toString('utf8') !== content)
        .map(({ name }) => name);
      return [
        ...unless(
          own.some(({ name }) => name === 'src/module.ts'),
          'No src/module.ts'
        ),
        ...different,
      ];
    },
    damage: (pluginPackage) =>
      withFile(
        pluginPackage,
        'module.js.map',
        textOf(pluginPackage, 'module.js.map').replace('DataSourcePlugin', 'OtherPlugin')
      ),
  },
  {
    name: 'tracking-scripts',
    title: 'module.js names no host of the internet',
    problems: (pluginPackage) =>
      [...textOf(pluginPackage, 'module.js').matchAll(URL_HOST)]
        .map(([, host]) => host!)
        .filter((host) => !ALLOWED_HOSTS.includes(host)),
    damage: scriptWith('fetch("https://www.google-analytics.com/collect")'),
  },
  {
    name: 'legacy-platform',
    title: 'module.js has no parts of Angular plugins',
    problems: contains(ANGULAR),
    damage: scriptWith('class A extends PanelCtrl {}'),
  },
  {
    name: 'react-19-issue',
    title: 'module.js has nothing that only some versions of Grafana provide',
    problems: contains(NOT_FOR_EVERY_HOST),
    damage: scriptWith('require("react/jsx-runtime")'),
  },
  {
    name: 'own',
    title: 'module.js imports nothing that an old Grafana lacks',
    problems: (pluginPackage) => {
      const imports = /^define\((\[[^\]]*\])/m.exec(textOf(pluginPackage, 'module.js'))?.[1] ?? '["nothing"]';
      return (JSON.parse(imports) as string[]).filter((name) => !PROVIDED.includes(name));
    },
    damage: (pluginPackage) => withFile(pluginPackage, 'module.js', 'define(["react","@grafana/i18n"],()=>{})'),
  },
];
