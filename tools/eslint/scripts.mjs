/** Rules of JavaScript. */
import { defineConfig } from 'eslint/config';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { EVERYWHERE } from './typed.mjs';

/** Node's global names; TypeScript checks these in scripts that scripts/tsconfig.json names. */
const GLOBALS = Object.fromEntries(
  [
    ...['console', 'fetch', 'module', 'process', 'require', 'exports', '__dirname', '__filename'],
    ...['AbortController', 'Buffer', 'HTMLCanvasElement', 'Response', 'URL', 'clearTimeout', 'global', 'setTimeout'],
  ].map((name) => [name, /** @type {const} */ ('readonly')])
);

const javascript = defineConfig([
  js.configs.recommended,
  { languageOptions: { globals: GLOBALS }, rules: { eqeqeq: 'error' } },
]);

/** Scripts that TypeScript checks. */
export const scripts = defineConfig([
  javascript,
  tseslint.configs.recommendedTypeChecked,
  {
    rules: {
      ...EVERYWHERE,
      '@typescript-eslint/no-misused-promises': 'error',
      // CommonJS has no other way.
      '@typescript-eslint/no-require-imports': 'off',
      // Parsed JSON, and what the build makes before it is built, is `any`.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // `const { join } = require('node:path')` is an import.
      '@typescript-eslint/unbound-method': 'off',
      // Their output is the terminal's.
      'no-console': 'off',
    },
  },
]);

/** Clients to copy, parts of tests with packages of their own, and configuration that tools read as it is. */
export const untypedScripts = defineConfig([
  javascript,
  { languageOptions: { parser: tseslint.parser } },
  tseslint.configs.disableTypeChecked,
]);
