/** Rules of imports that hold for every part of the project; server/ and backend/ add their own directions. */
module.exports = {
  noCycles: {
    name: 'no-cycles',
    comment: 'Values that import each other in a circle depend on the order of loading.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  /** Files of `from` may import themselves and the listed places, and nothing else of the `whole`. */
  mayOnlyReach: (whole) => (name, from, allowed, comment) => ({
    name,
    comment,
    severity: 'error',
    from: { path: from },
    to: { path: whole, pathNot: [from, ...allowed] },
  }),
};
