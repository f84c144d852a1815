/** @swc/jest with one cache for all projects: what it makes of a file does not depend on the project. */
const swc = require('@swc/jest');

module.exports = {
  /** @param {import('@swc/core').Options} options */
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    const { getCacheKey } = transformer;
    if (getCacheKey === undefined) return transformer;
    return {
      ...transformer,
      /**
       * @param {string} source
       * @param {string} file
       * @param {import('@jest/transform').TransformOptions} given
       */
      getCacheKey: (source, file, given) => getCacheKey(source, file, { ...given, configString: '' }),
    };
  },
};
