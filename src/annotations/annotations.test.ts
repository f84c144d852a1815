import { FieldType, toDataFrame } from '@grafana/data';
import { firstValueFrom } from 'rxjs';
import { fakeService } from '../__mocks__/service';
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

test('rows with an end are regions, and rows without a time are none', () => {
  const time = { name: 'time', type: FieldType.time, values: [1000] };
  const end = { name: 'timeEnd', type: FieldType.time, values: [2000] };
  const title = { name: 'what', type: FieldType.string, values: ['outage'] };
  expect(annotationEvents(toDataFrame({ fields: [time, end, title] }))).toMatchObject([
    { time: 1000, timeEnd: 2000, isRegion: true, text: 'outage', tags: [] },
  ]);
  expect(annotationEvents(toDataFrame({ fields: [title] }))).toEqual([]);
});

test('the data source takes part in annotations, and brings stored queries to the shape of today', async () => {
  expect(fakeService().datasource.annotations).toBe(annotations);
  const stored = { name: 'a', enable: true, iconColor: 'red', target: { refId: 'A', sql: 'select 1' } };
  expect(annotations.prepareAnnotation?.(stored)).toMatchObject({ target: { mode: 'sql', schemaVersion: 1 } });
  expect(await firstValueFrom(annotations.processEvents!(stored, []))).toEqual([]);
});
