import type { TypeName } from '../../../ast/type-name';
import { printName } from './print-name';

/** `INT64`, `ARRAY<STRING>`, `STRUCT<a INT64, STRING>`. */
export function printTypeName({ name, parts }: TypeName): string {
  if (parts === undefined) return name;
  const texts = parts.map(
    (part) => `${part.name === null ? '' : `${printName(part.name)} `}${printTypeName(part.type)}`
  );
  return `${name}<${texts.join(', ')}>`;
}
