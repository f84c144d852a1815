/** Rules for the source code. */
import { type Rule, unless, withSource } from './rule';

type Tested = Parameters<Rule['problems']>[0];

const SAMPLE = 'src/sample.tsx';
const TEXTS = /^src\/.*(?<!\.(test|spec))\.tsx?$/;

/** What the code of the browser part must not do: name of the rule, what it does, how it looks, an example. */
const FORBIDDEN: readonly (readonly [name: string, title: string, pattern: RegExp, example: string])[] = [
  [
    'code-rules-console-logging',
    'write to the console',
    /\bconsole\.(log|info|table|clear|count\w*|dir\w*|group\w*|time\w*|trace)\(/,
    'console.log(1);',
  ],
  [
    'code-rules-topnav-toggle',
    'read the feature toggle topnav',
    /featureToggles\.topnav/,
    'config.featureToggles.topnav;',
  ],
  [
    'code-rules-window-properties',
    'read global properties of Grafana',
    /window\.(grafanaBootData|grafanaRuntime|__grafanaSceneContext)/,
    'window.grafanaBootData;',
  ],
  [
    'code-rules-access-old-react-internals',
    'use internals of React',
    /__SECRET_INTERNALS_DO_NOT_USE/,
    'React.__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED;',
  ],
  [
    'code-rules-native-browser-dialogs',
    'open dialogs of the browser',
    /(?<![.\w])alert\(|\bwindow\.(alert|confirm|prompt)\(/,
    "window.confirm('Sure?');",
  ],
  [
    'code-rules-window-open-without-noopener',
    'open windows that can reach their opener',
    /\bwindow\.open\((?![^;]*noopener)/,
    'window.open(url);',
  ],
  ['code-rules-deprecated-gf-form-css-classes', 'use old CSS classes', /gf-form/, '<div className="gf-form" />;'],
  [
    'code-rules-direct-window-location-access',
    'read the address of the page',
    /window\.location\.(search|href)/,
    'window.location.href;',
  ],
  ['code-rules-ts-ignore-suppress', 'suppress type errors', /@ts-(ignore|expect-error)/, '// @ts-ignore'],
  [
    'code-rules-no-direct-css-imports',
    'set global styles',
    /import\s+['"].*\.(css|scss|less)['"]|<Global\b/,
    "import './a.css';",
  ],
  [
    'code-rules-no-api-ds-query-endpoint',
    'call the query API of Grafana',
    /\/api\/ds\/query/,
    "fetch('/api/ds/query');",
  ],
  [
    'code-rules-backend-datasource-should-not-implement-testdatasource',
    'replace the health check of the backend',
    /\btestDatasource\s*\(/,
    'async testDatasource() {}',
  ],
  [
    'react-19-issue',
    'use APIs that React 19 removed',
    /\b(findDOMNode|unmountComponentAtNode|createFactory|childContextTypes|contextTypes|propTypes|defaultProps|getChildContext)\b|\bReactDOM\.(render|hydrate)\(|\bref=["']/,
    'Component.defaultProps = {};',
  ],
];

function forbidden([name, title, pattern, example]: (typeof FORBIDDEN)[number]): Rule {
  return {
    name,
    title: `the browser part does not ${title}`,
    problems: ({ project }) =>
      [...project]
        .filter(([file, { read }]) => TEXTS.test(file) && pattern.test(read().toString('utf8')))
        .map(([file]) => file),
    damage: (pluginPackage) => withSource(pluginPackage, SAMPLE, example),
  };
}

const readSource = ({ project }: Tested, file: string): string => project.get(file)?.read().toString('utf8') ?? '';

export const SOURCE_RULES: readonly Rule[] = [
  ...FORBIDDEN.map(forbidden),
  {
    name: 'legacy-builder',
    title: 'no script uses grafana-toolkit',
    problems: (pluginPackage) => {
      const { scripts } = JSON.parse(readSource(pluginPackage, 'package.json')) as { scripts: Record<string, string> };
      return Object.values(scripts).filter((script) => script.includes('grafana-toolkit'));
    },
    damage: (pluginPackage) =>
      withSource(pluginPackage, 'package.json', '{ "scripts": { "build": "grafana-toolkit plugin:build" } }'),
  },
  {
    name: 'non-standard-frontend-build-tooling',
    title: 'the browser part is built with the configuration of create-plugin',
    problems: (pluginPackage) =>
      unless(
        readSource(pluginPackage, '.config/webpack/webpack.config.ts').includes('@grafana/create-plugin'),
        'No configuration of create-plugin'
      ),
    damage: (pluginPackage) => withSource(pluginPackage, '.config/webpack/webpack.config.ts', null),
  },
  {
    name: 'no-go-manifest',
    title: 'no Go source is in the project, which would need a manifest of a Go build',
    problems: ({ project }) => [...project.keys()].filter((file) => file.endsWith('.go')),
    damage: (pluginPackage) => withSource(pluginPackage, 'pkg/main.go', 'package main'),
  },
];
