import { FieldType, LoadingState, toDataFrame } from '@grafana/data';
import { config, setGrafanaLiveSrv, type GrafanaLiveSrv, type LiveDataStreamOptions } from '@grafana/runtime';
import { firstValueFrom, of, toArray } from 'rxjs';
import { fakeService } from '../../__mocks__/service';

test('live streaming opens one stream for each query that can run, with variables filled in', async () => {
  const opened: LiveDataStreamOptions[] = [];
  setGrafanaLiveSrv({
    getDataStream: (options: LiveDataStreamOptions) => {
      opened.push(options);
      return of({ data: [] });
    },
  } as unknown as GrafanaLiveSrv);
  const { datasource, sent } = fakeService({}, { project: 'acorn' });
  const query = { refId: 'A', endpoint: { name: 'logs.all' }, mode: 'saved', params: { project: '$project' } } as const;
  const request = { requestId: 'Q1', liveStreaming: true, scopedVars: {}, targets: [query, { refId: 'B' }] };
  await firstValueFrom(datasource.query(request as never).pipe(toArray()));
  expect(opened).toHaveLength(1);
  expect(opened[0]?.addr).toMatchObject({ stream: 'uid-1', data: { params: { project: 'acorn' } } });
  expect(sent).toEqual([]);
});

test.each([
  ['10.1.5', 'attributes'],
  ['13.1.1', 'labels'],
])('on Grafana %s a streamed frame keeps being itself, its object column is called %s', async (version, expected) => {
  const { version: before } = config.buildInfo;
  config.buildInfo.version = version;
  const frame = toDataFrame({
    meta: { preferredVisualisationType: 'logs' },
    fields: [{ name: 'labels', type: FieldType.other, values: [{ a: 'b' }] }],
  });
  setGrafanaLiveSrv({ getDataStream: () => of({ data: [frame] }) } as unknown as GrafanaLiveSrv);
  const query = { refId: 'A', endpoint: { name: 'logs.all' }, params: { project: 'acorn' } };
  const request = { requestId: 'Q1', liveStreaming: true, scopedVars: {}, targets: [query] };
  const { data } = await firstValueFrom(fakeService().datasource.query(request as never));
  config.buildInfo.version = before;
  expect(data[0]).toBe(frame);
  expect(frame.fields[0]?.name).toBe(expected);
});

test('a tail that fails is an error of the query and keeps its lines; a frame of lines ends the error', async () => {
  const lines = toDataFrame({ fields: [{ name: 'body', type: FieldType.string, values: ['a'] }] });
  const failed = toDataFrame({
    meta: { notices: [{ severity: 'error', text: 'The service at logs:8080 cannot be reached.' }] },
    fields: [...lines.fields, { name: 'tail_failure', type: FieldType.string, values: [undefined] }],
  });
  const answers = [lines, failed, lines].map((frame) => ({ data: [frame], state: LoadingState.Streaming }));
  setGrafanaLiveSrv({ getDataStream: () => of(...answers) } as unknown as GrafanaLiveSrv);
  const query = { refId: 'A', endpoint: { name: 'logs.all' }, params: { project: 'acorn' } };
  const request = { requestId: 'Q1', liveStreaming: true, scopedVars: {}, targets: [query] };
  const seen = await firstValueFrom(
    fakeService()
      .datasource.query(request as never)
      .pipe(toArray())
  );
  expect(seen.map(({ state }) => state)).toEqual([LoadingState.Streaming, LoadingState.Error, LoadingState.Streaming]);
  expect(seen[1]).toMatchObject({
    data: [failed],
    error: { message: 'The service at logs:8080 cannot be reached. The tail tries again.' },
  });
});
