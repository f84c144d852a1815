import { printList, readList } from './value-list';

const values = (texts: readonly string[]) => texts.map((text) => ({ kind: 'text', text }) as const);

test.each([
  [['a', 'b']],
  [[' a', 'b ', ' ']],
  [['a, b', 'c']],
  [['say "no"', 'back\\slash', '"', '\\"']],
  [['$name', 'two words', 'line\nbreak, and more']],
  [['"a", "b"', '"x"']],
])('the values %j are the same after one of them is edited in the form', (texts) => {
  expect(readList(printList(values(texts)))).toEqual(texts);
});

test.each([
  ['a,b , c', ['a', 'b', 'c']],
  ['"a, b" , "c', ['a, b', '"c']],
  [' , ', []],
])('the list %s has the values %j', (text, expected) => {
  expect(readList(text)).toEqual(expected);
});
