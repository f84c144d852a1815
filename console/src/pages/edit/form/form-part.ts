/** What each part of the form gets: the fields, their problems, and how to change one. */
import type { Fields, FieldPath } from '../../../definition/definition-text';

export type SetField = (path: FieldPath, value: unknown) => void;

export interface PartProps {
  readonly fields: Fields;
  readonly problemOf: (...path: ReadonlyArray<string | number>) => string | undefined;
  readonly onChange: SetField;
}
