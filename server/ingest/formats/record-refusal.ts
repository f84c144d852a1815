/** Reason why one event of a request is not stored, while the others are. */
import { MAX_ENTRY_BYTES, MAX_ENTRY_VALUES } from '#contract/events/source';

export type RefusalCode =
  | 'no_source'
  | 'no_document'
  | 'no_event'
  | 'blank_event'
  | 'unsupported_action'
  | 'bad_json'
  | 'not_an_object'
  | 'bad_utf8'
  | 'bad_timestamp'
  | 'too_large'
  | 'too_deep'
  | 'too_many_values';

export class RecordRefusal {
  readonly code: RefusalCode;
  readonly message: string;

  constructor(code: RefusalCode, message: string) {
    this.code = code;
    this.message = message;
  }
}

export function tooLarge(): RecordRefusal {
  return new RecordRefusal('too_large', `the event is longer than ${MAX_ENTRY_BYTES} bytes`);
}

export function tooDeep(): RecordRefusal {
  return new RecordRefusal('too_deep', 'values are nested too deep');
}

export function tooManyValues(): RecordRefusal {
  return new RecordRefusal('too_many_values', `the event holds more than ${MAX_ENTRY_VALUES} values`);
}

/** Counts the values of one event, or of a group's fields, while they are read: each costs far more than its bytes. */
export class ValueBudget {
  private values = 0;

  /** @throws RecordRefusal */
  spend(): void {
    if (++this.values > MAX_ENTRY_VALUES) throw tooManyValues();
  }
}

/** Result of `read`, or its refusal. */
export function orRefusal<T>(read: () => T): T | RecordRefusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordRefusal) return error;
    throw error;
  }
}
