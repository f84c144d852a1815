/**
 * Entry point of the compiler: SQL or LQL of a saved query or a caller, and a catalog, to the SQL of a store. Pure: no
 * I/O, no clock, no settings. README.md shows the stages. Stores need `#compiler/store` only; readers of times
 * `#compiler/time/parse-iso`.
 */
export {
  compile,
  type CompileRequest,
  describe,
  printResolved,
  type ResolvedRequest,
  resolveRequest,
  validateAdhoc,
  validateDefinition,
} from './compile';
export type { RedactionRule, RedactionRules, RedactionStep, SourceRedaction } from './catalog/source-redaction';
export type * from './store';
