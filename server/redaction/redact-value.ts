/** Values of a result by their logical type. Only texts can hold what is hidden: numbers, booleans and times pass as they are. */
import type { OutputType } from '../compiler/compiled-query';
import type { StoreValue } from '../stores/store';
import type { RedactionKind } from '#contract/redaction';
import { detectorsOf } from './policy';
import { createJsonRedactor } from './redact-json';
import { createTextRedactor, type ReplaceListener, type TextRedactor } from './redact-text';

export type ValueRedactor = (value: StoreValue) => StoreValue;

export interface Redactor {
  readonly text: TextRedactor;
  /** The redactor of a column; undefined for a type that holds no text. */
  forType(type: OutputType): ValueRedactor | undefined;
}

export function createRedactor(kinds: readonly RedactionKind[], onReplaced?: ReplaceListener): Redactor {
  const detectors = detectorsOf(kinds);
  const text = createTextRedactor(detectors, onReplaced);
  const json = createJsonRedactor(detectors, text, onReplaced);
  const forType = (type: OutputType): ValueRedactor | undefined => {
    switch (type.kind) {
      case 'STRING':
        return (value) => (value === null ? null : text(value as string));
      case 'RECORD_TEXT':
        return (value) => (value === null ? null : json(value as string));
      case 'ARRAY': {
        const element = forType(type.element);
        return element && ((value) => value && (value as readonly StoreValue[]).map(element));
      }
      case 'STRUCT': {
        const fields = type.fields.map((field) => forType(field.type));
        if (fields.every((field) => field === undefined)) return undefined;
        return (value) => value && (value as readonly StoreValue[]).map((one, index) => fields[index]?.(one) ?? one);
      }
      case 'INT64':
      case 'FLOAT64':
      case 'BOOL':
      case 'TIMESTAMP':
      case 'DATETIME':
      case 'DATE':
        return undefined;
    }
  };
  return { text, forType };
}
