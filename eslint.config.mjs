/** Lint rules of the whole project. Their parts, with the reason for each rule that is off, are in tools/eslint. */
import { defineConfig, globalIgnores } from 'eslint/config';
import { browser, plainModules } from './tools/eslint/browser.mjs';
import { scripts, untypedScripts } from './tools/eslint/scripts.mjs';
import { tests, typed } from './tools/eslint/typed.mjs';

/** As scripts/tsconfig.json names them. */
const SCRIPTS = [
  '{scripts,tools}/**/*.{mjs,cjs}',
  'tests/support/jest/*.cjs',
  'backend/proto/*.cjs',
  'eslint.config.mjs',
];

export default defineConfig([
  globalIgnores(['build/', 'dist/', 'data/', 'coverage/', 'playwright/', '.config/']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  },
  { files: ['{src,console/src}/**/*.{ts,tsx}'], extends: [browser] },
  // Its build brings the functions of JSX along.
  {
    files: ['console/src/**'],
    // No compiler of React keeps what components return, so libraries need not tell it when that changes.
    rules: { 'react/react-in-jsx-scope': 'off', 'react-hooks/incompatible-library': 'off' },
  },
  plainModules,
  {
    files: ['{contract,compiler,server,backend,tests,benchmarks}/**/*.ts', 'tests/workbench/page/**/*.tsx'],
    extends: [typed],
  },
  { files: ['tests/**/*.{ts,tsx}', 'src/**/*.test.{ts,tsx}', 'src/__mocks__/**'], extends: [tests] },
  // Their output is the terminal's.
  { files: ['server/cli/**', 'benchmarks/**'], rules: { 'no-console': 'off' } },
  // They are of one project, wherever they lie.
  {
    files: SCRIPTS,
    languageOptions: { parserOptions: { projectService: false, project: 'scripts/tsconfig.json' } },
    extends: [scripts],
  },
  {
    files: ['examples/**/*.mjs', 'tests/**/*.mjs', '*.js', 'webpack.config.ts'],
    extends: [untypedScripts],
  },
]);
