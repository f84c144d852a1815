/** Rules that read types, for the server, the compiler, the backend and what tests and measures them. */
import { defineConfig } from 'eslint/config';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Rules of the browser part, too.
 *
 * @type {import('eslint').Linter.RulesRecord}
 */
export const EVERYWHERE = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  // A `default` covers the other cases of a union by choice; a switch without one names them all.
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // An async function turns what it throws into a rejection, which a method that returns a promise owes its callers.
  '@typescript-eslint/require-await': 'off',
  // A failure that was caught is passed on as it is.
  '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
  // Numbers have one spelling.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
  // Comments only, which the formatter leaves as they are; it breaks lines of code.
  'max-len': ['error', { code: Number.MAX_SAFE_INTEGER, comments: 120, ignoreUrls: true }],
  'no-console': 'error',
};

export const typed = defineConfig([
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    rules: {
      ...EVERYWHERE,
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': [
        'error',
        {
          // Refusals of single events: thousands in one body, each without the cost of a stack.
          allow: [{ from: 'file', name: ['EntryRejection', 'RecordRefusal', 'JsonSyntaxError'] }],
        },
      ],
      eqeqeq: 'error',
    },
  },
]);

/**
 * What responses, parsed texts and jest's matchers (`expect.any`) hand to a test is `any`, and the test is the check.
 */
export const tests = defineConfig([
  {
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      // Grafana's client fails with plain objects, and so do fakes of it.
      '@typescript-eslint/only-throw-error': 'off',
      // `expect(fake.method)` reads a method without calling it.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
]);
