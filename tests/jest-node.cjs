/** What every test project that runs in Node shares: TypeScript by swc, and the names of our own folders. */
const rootDir = require('node:path').resolve(__dirname, '..');

module.exports = {
  rootDir,
  /** @param folders reached as `#folder/…` */
  nodeProject: (...folders) => ({
    rootDir,
    testEnvironment: 'node',
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
      ],
    },
    moduleNameMapper: {
      '^fast-check$': '<rootDir>/tests/support/fast-check.cjs',
      ...Object.fromEntries(folders.map((name) => [`^#${name}/(.*)$`, `<rootDir>/${name}/$1`])),
    },
    modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
  }),
};
