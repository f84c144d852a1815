/** Rules of the browser part: Grafana's for plugins, and those of the project that read types. */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import grafana from '../../.config/eslint.config.mjs';
import { EVERYWHERE } from './typed.mjs';

/** Missing in the oldest Grafana we load on, where an import of them is `undefined` and crashes when it is drawn. */
const MISSING_IN_OLDEST = [
  'Stack',
  'Box',
  'Text',
  'Space',
  'Grid',
  'EmptyState',
  'ScrollContainer',
  'Combobox',
  'MultiCombobox',
];

/**
 * Modules of contract/plugin whose code the browser part runs, beside `#compiler/browser`, `contract/lines`,
 * `contract/as-sentence`, `contract/nearest-name` and `contract/records`; of all others it takes types only.
 */
const PLAIN_MODULES = ['endpoint-name', 'field-filter', 'levels', 'literal-text', 'plugin', 'sql-functions'];
const PLAIN = `(${PLAIN_MODULES.join('|')})`;

/** They import nothing but each other, so that they bring no package into the bundle. */
export const plainModules = defineConfig([
  {
    files: [
      ...PLAIN_MODULES.map((name) => `contract/plugin/${name}.ts`),
      'contract/lines/*.ts',
      'contract/as-sentence.ts',
      'contract/nearest-name.ts',
      'contract/records.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!\\./(${PLAIN}|diff-lines)$)`,
              allowTypeImports: true,
              message:
                'The browser part runs this module: it takes types only, or what tools/eslint/browser.mjs lists.',
            },
          ],
        },
      ],
    },
  },
]);

export const browser = defineConfig([
  grafana,
  // Grafana's configuration brings the plugin of these rules.
  ...tseslint.configs.recommendedTypeChecked.map(({ rules = {} }) => ({ rules })),
  {
    // One way to find a file's project: that of the whole project, not Grafana's.
    languageOptions: { parserOptions: { project: null } },
    rules: {
      ...EVERYWHERE,
      // React calls event handlers and ignores what they return.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-deprecated': 'error',
      eqeqeq: 'error',
      // The rest of the project leaves braces off one-line branches.
      curly: 'off',
    },
  },
  {
    ignores: ['src/components/compat/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@grafana/ui',
              importNames: MISSING_IN_OLDEST,
              message: 'Not in the oldest Grafana we support: use src/components/compat.',
            },
            {
              name: 'wouter',
              importNames: ['useSearch'],
              message: 'It decodes the query string twice: use useSearch of console/src/app/use-search.',
            },
          ],
          patterns: [
            {
              // Not a `group`: there a `#` begins a comment.
              regex: `^#(contract|compiler)(/|$)(?!plugin/${PLAIN}$|lines/(diff|merge)-lines$|as-sentence$|nearest-name$|records$|browser$)`,
              allowTypeImports: true,
              message: 'Types only: the code would come into the bundle with its packages.',
            },
          ],
        },
      ],
    },
  },
  {
    // The newer components that these replace are missing in the oldest Grafana.
    files: ['src/components/compat/**'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
]);
