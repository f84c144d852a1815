/**
 * Redacts values of a result by logical type. Only texts can contain personal data; numbers, booleans and times are
 * unchanged. A text in a column or field with the name of a credential is hidden completely.
 */
import type { OutputType } from '#compiler';
import { ofKind, type StoreValue } from '../../stores/store-value';
import type { RedactionKind } from '#contract/redaction';
import { replacementOf } from './detector';
import { detectorsOf } from './policy';
import { createJsonRedactor } from './redact-json';
import { createTextRedactor, type ReplaceListener, type TextRedactor } from './redact-text';
import { isSecretName } from './secret-names';

const HIDDEN = replacementOf('token');

export type ValueRedactor = (value: StoreValue) => StoreValue;

function unlessNull(redact: ValueRedactor): ValueRedactor {
  return (value) => (value === null ? null : redact(value));
}

/** Bytes are redacted as the text that they hold; without a find they stay as they are. @param base64 the bytes */
function redactedBytes(base64: string, redact: TextRedactor): string {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const redacted = redact(text);
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
  const hidden: TextRedactor = (value) => {
    if (value === '' || value === HIDDEN) return value;
    onReplaced?.('token');
    return HIDDEN;
  };
  const forValue = (name: string, type: OutputType): ValueRedactor | undefined => {
    switch (type.kind) {
      case 'BYTES': {
        const redacted = hidesTokens && isSecretName(name) ? hidden : text;
        return unlessNull(ofKind(type.kind, (base64) => redactedBytes(base64, redacted)));
      }
      case 'STRING':
        return unlessNull(ofKind(type.kind, hidesTokens && isSecretName(name) ? hidden : text));
      case 'JSON':
      case 'RECORD_TEXT':
        return unlessNull(ofKind(type.kind, json));
      case 'ARRAY': {
        const element = forValue(name, type.element);
        return element && unlessNull(ofKind(type.kind, (values) => values.map(element)));
      }
      case 'STRUCT': {
        const fields = type.fields.map((field) => forValue(field.writtenName ?? field.name, field.type));
        if (fields.every((field) => field === undefined)) return undefined;
        return unlessNull(ofKind(type.kind, (values) => values.map((one, index) => fields[index]?.(one) ?? one)));
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
