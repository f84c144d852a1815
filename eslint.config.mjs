/** Rules for the data source's browser part (`src/`); the rest of the project is held to server/eslint.config.mjs. */
import { defineConfig } from 'eslint/config';
import grafana from './.config/eslint.config.mjs';

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

export default defineConfig([
  { ignores: ['**/*', '!src/', '!src/**'] },
  ...grafana,
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-deprecated': 'error',
      eqeqeq: 'error',
      // The rest of the project leaves braces off one-line branches.
      curly: 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
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
          ],
          patterns: [
            {
              group: ['#contract/*'],
              allowTypeImports: true,
              message: 'Types only: the schemas would bring their library into the bundle.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/components/compat/**'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
]);
