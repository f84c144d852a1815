import { FieldType, type DataFrame } from '@grafana/data';
import { derivedFieldProblem, withDerivedFields } from './derived-fields';

const FRAME: DataFrame = {
  length: 2,
  meta: { preferredVisualisationType: 'logs' },
  fields: [
    { name: 'timestamp', type: FieldType.time, config: {}, values: [1, 2] },
    { name: 'body', type: FieldType.string, config: {}, values: ['trace=abc done', 'nothing here'] },
    { name: 'labels', type: FieldType.other, config: {}, values: [{ 'user.id': 'u1' }, {}] },
  ],
};
const url = 'https://example.org/${__value.raw}';
const added = (frame: DataFrame) => frame.fields.slice(3);

test('a value from a label or from the message becomes a field with a link', () => {
  const frame = withDerivedFields(
    FRAME,
    [
      { name: 'Trace', regex: 'trace=(\\w+)', url, title: 'Open' },
      { name: 'User', label: 'user.id', url },
    ],
    () => undefined
  );
  expect(added(frame)).toMatchObject([
    { name: 'Trace', values: ['abc', null], config: { links: [{ title: 'Open', url }] } },
    { name: 'User', values: ['u1', null], config: { links: [{ title: 'User', url }] } },
  ]);
});

test('a link may be a query of another data source, while that is there', () => {
  const derived = [{ name: 'Trace', regex: 'trace=\\w+', url: '${__value.raw}', datasourceUid: 'traces' }];
  const frame = withDerivedFields(FRAME, derived, (uid) => (uid === 'traces' ? 'Traces' : undefined));
  expect(added(frame)).toMatchObject([
    {
      values: ['trace=abc', null],
      config: {
        links: [
          {
            title: 'Traces',
            internal: { datasourceUid: 'traces', datasourceName: 'Traces', query: { query: '${__value.raw}' } },
          },
        ],
      },
    },
  ]);
  expect(withDerivedFields(FRAME, derived, () => undefined)).toBe(FRAME);
});

test.each([
  [{ name: 'a', regex: '(', url }],
  [{ name: 'a', regex: 'never there', url }],
  [{ name: 'a', label: 'absent', url }],
])('%j adds nothing', (derived) => {
  expect(withDerivedFields(FRAME, [derived], () => undefined)).toBe(FRAME);
});

test('only log lines have them', () => {
  const table = { ...FRAME, meta: { preferredVisualisationType: 'table' as const } };
  expect(withDerivedFields(table, [{ name: 'User', label: 'user.id', url }], () => undefined)).toBe(table);
});

test.each([
  [{ name: '', label: 'a', url }, 'Write a name.'],
  [{ name: 'a', url }, 'Name a label, or write a regular expression for the message.'],
  [{ name: 'a', regex: '[', url }, 'The regular expression cannot be read.'],
  [{ name: 'a', label: 'b' }, 'Write where the link goes.'],
  [{ name: 'a', label: 'b', regex: 'c', url }, undefined],
])('%j: %s', (derived, problem) => {
  expect(derivedFieldProblem(derived)).toBe(problem);
});
