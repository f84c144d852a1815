/** Contrasts of the colors of both themes, as WCAG 2.2 AA asks for: axe does not look at the edges of fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Colors = ReadonlyMap<string, string>;

const [, light = '', dark = ''] =
  /^([^]*?)@media \(prefers-color-scheme: dark\)([^]*)$/.exec(readFileSync(join(__dirname, 'colors.css'), 'utf8')) ??
  [];

function colorsOf(text: string): Colors {
  const named = [...text.matchAll(/--([\w-]+): #([0-9a-f]{3}|[0-9a-f]{6});/g)];
  return new Map(named.map(([, name, hex]) => [name!, hex!.length === 3 ? hex!.replace(/./g, '$&$&') : hex!]));
}

/** Relative luminance, as WCAG defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(colors: Colors, one: string, other: string): number {
  const [low, high] = [one, other].map((name) => luminance(colors.get(name)!)).sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const GROUNDS = ['ground', 'panel', 'field', 'row'];
const TEXTS = ['text', 'text-soft', 'main', 'good', 'warn', 'bad'];
const TOKENS = ['keyword', 'function', 'string', 'number', 'name'].map((name) => `token-${name}`);

test.each([
  ['light', light],
  ['dark', dark],
])('in the %s theme, texts have a contrast of 4.5 and edges of fields one of 3', (_, text) => {
  const colors = colorsOf(text);
  const pairs = GROUNDS.flatMap((ground) => [
    ...[...TEXTS, ...TOKENS].map((name) => [name, ground, 4.5] as const),
    ...['edge', 'focus'].map((name) => [name, ground, 3] as const),
  ]);
  const low = [...pairs, ['on-main', 'main', 4.5] as const].filter(
    ([name, ground, wanted]) => contrast(colors, name, ground) < wanted
  );
  expect(low).toEqual([]);
});
