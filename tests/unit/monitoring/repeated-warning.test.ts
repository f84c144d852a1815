import { RepeatedWarning } from '#server/monitoring/repeated-warning';
import { createManualClock } from '../../support/fakes/clock';

it('what recurs is logged at once, and then once a minute with how often it happened', () => {
  const clock = createManualClock();
  const warn = jest.fn();
  const refused = new RepeatedWarning({ warn }, clock, 'connections are refused');
  for (let n = 0; n < 5; n++) refused.log({ max_connections: 10 });
  clock.advance(60_000);
  refused.log({ max_connections: 10 });
  expect(warn.mock.calls).toEqual([
    [{ max_connections: 10, times: 1 }, 'connections are refused'],
    [{ max_connections: 10, times: 5 }, 'connections are refused'],
  ]);
});
