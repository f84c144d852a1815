/** Patterns of the texts that CAST reads as times, for the regular expressions of both stores (RE2). */

/** Excludes the year 0000, which the calendar of the dialect does not have. */
export const YEAR = '[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9]';
export const HOUR = '[01]?[0-9]|2[0-3]';
export const MINUTE = '[0-5]?[0-9]';
/** A second 60 is the first of the next minute. */
export const SECOND = '[0-5]?[0-9]|60';
/** Digits beyond microseconds are dropped. */
export const FRACTION = { TIMESTAMP: '[0-9]{1,12}', DATETIME: '[0-9]{1,9}', TIME: '[0-9]{1,6}' } as const;
/** Groups: sign, hours, minutes. */
export const OFFSET = '([+-])([0-9]{1,2})(?::?([0-9]{1,2}))?';
/** What may follow a time of day. */
export const ZONE = `[Zz]|(?: UTC)?${OFFSET}| (?:UTC|GMT)`;
export const WIDEST_OFFSET_MINUTES = 14 * 60;
/** Groups: hour, minute, second, fraction. */
export const TIME_OF_DAY = `^(${HOUR}):(${MINUTE}):(${SECOND})(?:\\.(${FRACTION.TIME}))?$`;
