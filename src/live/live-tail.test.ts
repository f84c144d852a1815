import { setGrafanaLiveSrv, type GrafanaLiveSrv, type LiveDataStreamOptions } from '@grafana/runtime';
import { firstValueFrom, of, toArray } from 'rxjs';
import { fakeService } from '../__mocks__/service';

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
