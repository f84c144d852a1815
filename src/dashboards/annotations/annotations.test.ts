import { FieldType, toDataFrame, type DataFrame } from '@grafana/data';
import { firstValueFrom } from 'rxjs';
import { fakeService } from '../../__mocks__/service';
import { annotationEvents, annotations } from './annotations';

test('a log line is an annotation with its labels as tags', () => {
  const frame = toDataFrame({
    fields: [
      { name: 'timestamp', type: FieldType.time, values: [1000] },
      { name: 'id', type: FieldType.string, values: ['a'] },
      { name: 'body', type: FieldType.string, values: ['deployed'] },
      { name: 'labels', type: FieldType.other, values: [{ 'request.method': 'GET' }] },
    ],
  });
  expect(annotationEvents(frame)).toEqual([{ id: 'a', time: 1000, text: 'deployed', tags: ['request.method: GET'] }]);
});

test('rows with an end are regions, and rows without a time are left out', () => {
  const time = { name: 'time', type: FieldType.time, values: [1000] };
  const end = { name: 'timeEnd', type: FieldType.time, values: [2000] };
  const title = { name: 'what', type: FieldType.string, values: ['outage'] };
  expect(annotationEvents(toDataFrame({ fields: [time, end, title] }))).toMatchObject([
    { time: 1000, timeEnd: 2000, isRegion: true, text: 'outage', tags: [] },
  ]);
  expect(annotationEvents(toDataFrame({ fields: [title] }))).toEqual([]);
});

test.each<[string, object, object]>([
  ['a time is the end', { timeEnd: '1970-01-01T00:00:02.000Z' }, { timeEnd: 2000, isRegion: true }],
  ['another text is no time', { end: '5' }, { timeEnd: undefined }],
])('of labels named as an end, %s of a log line', (_name, labels, expected) => {
  const frame = toDataFrame({
    fields: [
      { name: 'timestamp', type: FieldType.time, values: [1000] },
      { name: 'body', type: FieldType.string, values: ['outage'] },
      { name: 'labels', type: FieldType.other, values: [labels] },
    ],
  });
  const [event] = annotationEvents(frame);
  expect({ timeEnd: undefined, ...event }).toMatchObject({ time: 1000, ...expected });
  const [name = ''] = Object.keys(labels);
  expect(annotationEvents(frame, { timeEnd: { value: name } })).toMatchObject([{ isRegion: true }]);
});

test('the data source takes part in annotations, and brings stored queries to the shape of today', async () => {
  expect(fakeService().datasource.annotations).toBe(annotations);
  const stored = { name: 'a', enable: true, iconColor: 'red', target: { refId: 'A', sql: 'select 1' } };
  expect(annotations.prepareAnnotation?.(stored)).toMatchObject({ target: { mode: 'sql', schemaVersion: 1 } });
  expect(await firstValueFrom(annotations.processEvents!(stored, []))).toEqual([]);
});

test('a record in an annotation is its JSON', () => {
  const request = { request: { path: '/a' } };
  const frame = toDataFrame({
    fields: [
      { name: 'timestamp', type: FieldType.time, values: [1000] },
      { name: 'body', type: FieldType.string, values: ['deployed'] },
      { name: 'metadata', type: FieldType.other, values: [request] },
    ],
  });
  expect(annotationEvents(frame, { text: { value: 'metadata' } })).toMatchObject([{ text: JSON.stringify(request) }]);
  const path = { value: 'metadata', regex: '"path":"([^"]*)"' };
  expect(annotationEvents(frame, { text: path })).toMatchObject([{ text: '/a' }]);
});

test('days, which tables have as texts, are times', () => {
  const text = (name: string, values: ReadonlyArray<string | null>) => ({
    name,
    type: FieldType.string,
    config: {},
    values: [...values],
  });
  const frame = {
    length: 2,
    fields: [
      text('day', ['2026-03-01', null]),
      text('end', ['2026-03-03', '2026-03-04']),
      text('what', ['freeze', 'none']),
    ],
  };
  const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
  expect(annotationEvents(frame)).toMatchObject([
    { time: at('2026-03-01'), timeEnd: at('2026-03-03'), text: 'freeze' },
  ]);
});

describe('what was chosen in the editor', () => {
  const frame: DataFrame = {
    length: 2,
    fields: [
      { name: 'timestamp', type: FieldType.time, config: {}, values: [1, 2] },
      { name: 'until', type: FieldType.time, config: {}, values: [5, null] },
      { name: 'body', type: FieldType.string, config: {}, values: ['deploy v1.2 done', 'other'] },
      { name: 'who', type: FieldType.string, config: {}, values: ['ci, bot', null] },
      { name: 'labels', type: FieldType.other, config: {}, values: [{ 'request.path': '/a' }, {}] },
    ],
  };
  const source = (value: string, more: object = {}) => ({ value, ...more });

  test('columns, labels and parts of a text take the place of what the names of the columns say', () => {
    const events = annotationEvents(frame, {
      text: source('request.path'),
      title: source('BODY', { regex: 'v([0-9.]+)' }),
      timeEnd: source('until'),
      tags: source('who'),
    });
    expect(events).toEqual([
      { id: undefined, time: 1, timeEnd: 5, isRegion: true, title: '1.2', text: '/a', tags: ['ci', 'bot'] },
      { id: undefined, time: 2, title: 'other', text: '', tags: [] },
    ]);
  });

  test('a fixed text, a part that is left out, and a column that is not there', () => {
    const mappings = {
      text: { source: 'text' as never, value: 'Deployment' },
      tags: { source: 'skip' as never },
      id: source('nowhere'),
    };
    expect(annotationEvents(frame, mappings)).toMatchObject([
      { time: 1, text: 'Deployment', tags: [] },
      { time: 2, text: 'Deployment', tags: [] },
    ]);
  });

  test('rows without the chosen time are no events', () => {
    expect(annotationEvents(frame, { time: source('until') })).toMatchObject([{ time: 5 }]);
  });
});
