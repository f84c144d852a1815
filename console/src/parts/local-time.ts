/**
 * Times of the filter, which are those of the reader's zone as all times of the page; without a zone, the API takes
 * UTC.
 */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/**
 * @param text as it was typed
 * @param side `until` a day includes that day
 * @returns the text for the API; another text as it is, which the API refuses or knows
 */
export function localToApi(text: string, side: 'since' | 'until'): string {
  if (!DAY.test(text) && !CLOCK.test(text)) return text;
  const time = new Date(DAY.test(text) ? `${text}T00:00` : text.replace(' ', 'T'));
  if (Number.isNaN(time.getTime())) return text;
  if (side === 'until' && DAY.test(text)) time.setDate(time.getDate() + 1);
  return time.toISOString();
}
