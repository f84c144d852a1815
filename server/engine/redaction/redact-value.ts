/**
 * Redacts values of a result by logical type. Only texts can contain personal data; numbers, booleans and times are
 * unchanged. A text in a column or field with the name of a credential is hidden completely.
 */
import type { OutputType } from '#compiler';
import type { StoreValue } from '../../stores/store';
import type { RedactionKind } from '#contract/redaction';
import { replacementOf } from './detector';
import { detectorsOf } from './policy';
import { createJsonRedactor } from './redact-json';
import { createTextRedactor, type ReplaceListener, type TextRedactor } from './redact-text';
import { isSecretName } from './secret-names';

const HIDDEN = replacementOf('token');

export type ValueRedactor = (value: StoreValue) => StoreValue;

/** Bytes are redacted as the text that they hold; without a find they stay as they are. @param base64 the bytes */
function redactedBytes(base64: string, redact: (text: string) => StoreValue): string {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const redacted = redact(text) as string;
  return redacted === text ? base64 : Buffer.from(redacted).toString('base64');
}

export interface Redactor {
  readonly text: TextRedactor;
  /** Redactor for a column or field; undefined for a type without text. */
  forValue(name: string, type: OutputType): ValueRedactor | undefined;
}

export function createRedactor(kinds: readonly RedactionKind[], onReplaced?: ReplaceListener): Redactor {
  const detectors = detectorsOf(kinds);
  const text = createTextRedactor(detectors, onReplaced);
  const json = createJsonRedactor(detectors, text, onReplaced);
  const hidesTokens = kinds.includes('token');
  const hidden = (value: StoreValue): StoreValue => {
    if (value === null || value === '' || value === HIDDEN) return value;
    onReplaced?.('token');
    return HIDDEN;
  };
  const forValue = (name: string, type: OutputType): ValueRedactor | undefined => {
    switch (type.kind) {
      case 'BYTES': {
        const hides = hidesTokens && isSecretName(name);
        return (value) => (value === null ? null : redactedBytes(value as string, hides ? hidden : text));
      }
      case 'STRING':
        if (hidesTokens && isSecretName(name)) return hidden;
        return (value) => (value === null ? null : text(value as string));
      case 'JSON':
      case 'RECORD_TEXT':
        return (value) => (value === null ? null : json(value as string));
      case 'ARRAY': {
        const element = forValue(name, type.element);
        return element && ((value) => value && (value as readonly StoreValue[]).map(element));
      }
      case 'STRUCT': {
        const fields = type.fields.map((field) => forValue(field.writtenName ?? field.name, field.type));
        if (fields.every((field) => field === undefined)) return undefined;
        return (value) => value && (value as readonly StoreValue[]).map((one, index) => fields[index]?.(one) ?? one);
      }
      case 'INT64':
      case 'FLOAT64':
      case 'BOOL':
      case 'TIMESTAMP':
      case 'DATETIME':
      case 'DATE':
      case 'TIME':
      case 'INTERVAL':
        return undefined;
    }
  };
  return { text, forValue };
}
