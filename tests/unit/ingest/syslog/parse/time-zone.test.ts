import { timeZoneOf } from '#server/ingest/syslog/parse/time-zone';

it.each([
  ['UTC', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
  ['+05:30', '2026-07-01T12:00:00Z', '2026-07-01T06:30:00.000Z'],
  ['-03:00', '2026-07-01T23:00:00Z', '2026-07-02T02:00:00.000Z'],
  ['Europe/Berlin', '2026-01-01T12:00:00Z', '2026-01-01T11:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00.000Z'],
  ['Asia/Kathmandu', '2026-07-01T12:00:00Z', '2026-07-01T06:15:00.000Z'],
  // The clock is put back at 03:00: the first of both.
  ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00.000Z'],
  // The clock is put forward at 02:00: there is no such time.
  ['Europe/Berlin', '2026-03-29T01:59:59Z', '2026-03-29T00:59:59.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00Z', '2026-03-29T01:00:00.000Z'],
])('%s: %s of the clock on the wall is %s', (name, local, utc) => {
  expect(new Date(timeZoneOf(name)!.toUtcMs(Date.parse(local))).toISOString()).toBe(utc);
});

it.each(['Mars/Olympus', '+25:00', '+2', '', '0', 'utc+1'])('there is no zone "%s"', (name) => {
  expect(timeZoneOf(name)).toBeNull();
});
