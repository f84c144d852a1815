/** These tests start processes: on a busy machine that takes its time, and a slow start is no failure. */
jest.setTimeout(60_000);
