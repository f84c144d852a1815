import { RUN_FAILURES, runFailureIn, runFailureText, type RunFailure } from '#compiler/output/run-failure';

test.each(Object.keys(RUN_FAILURES) as RunFailure[])(
  'the reason %s is found in the message of the store',
  (failure) => {
    expect(runFailureIn(`Invalid Input Error: ${runFailureText(failure)}`)).toBe(failure);
  }
);

test.each([
  '',
  'Invalid Input Error: text_too_long',
  "Conversion Error: Could not convert string 'log-query: text_too_long' to INT64",
  'log-query: constructor',
  'log-query: ',
])('no reason is found in the message %j', (message) => {
  expect(runFailureIn(message)).toBeUndefined();
});
