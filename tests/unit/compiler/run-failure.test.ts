import { RUN_FAILURES, runFailureIn, runFailureText, type RunFailure } from '#server/compiler/run-failure';

test.each(Object.keys(RUN_FAILURES) as RunFailure[])('%s is found in the message that the store gives', (failure) => {
  expect(runFailureIn(`Invalid Input Error: ${runFailureText(failure)}`)).toBe(failure);
});

test.each([
  '',
  'Invalid Input Error: text_too_long',
  "Conversion Error: Could not convert string 'log-query: text_too_long' to INT64",
  'log-query: constructor',
  'log-query: ',
])('%j holds none', (message) => {
  expect(runFailureIn(message)).toBeUndefined();
});
