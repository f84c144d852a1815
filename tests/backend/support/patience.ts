/** These tests start processes, which is slow on a busy machine; a slow start is not a failure. */
jest.setTimeout(60_000);
