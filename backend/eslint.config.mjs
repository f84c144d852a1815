/** The rules of the server hold here too. */
import serverConfig from '../server/eslint.config.mjs';

export default [
  ...serverConfig,
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable', require: 'readonly' } } },
];
