import { formatMoment } from './format-change';

it.each(['2026-99-99T00:00:00Z', 'nonsense'])('a text that is no time stays as it is: %s', (text) => {
  expect(formatMoment(text)).toBe(text);
});
