import { serviceFailure } from '#backend/service-client/failures/service-failure';

const answer = { status: 301, body: '<html>', host: 'logs.example.org' };

test.each([
  ['another host', 'https://other.example.org/api/endpoints/query/logs.all?q=1', 'https://other.example.org'],
  ['TLS', 'https://logs.example.org:8443/api', 'https://logs.example.org:8443'],
])('a redirect to %s names where it leads, without its path', (_name, location, origin) => {
  const { message, facts } = serviceFailure({ ...answer, location });
  expect(message).toBe(`The server at logs.example.org redirects to ${origin} (status 301).`);
  expect(facts.hint).toContain('set the URL of the service itself');
});

test.each(['/login?next=%2Fapi', 'login', './'])('a redirect to %s is one of a login page or a proxy', (location) => {
  const { message, facts } = serviceFailure({ ...answer, location });
  expect(message).toBe('The server at logs.example.org redirects to another of its pages (status 301).');
  expect(facts.hint).toMatch(/^a login page or a proxy answers/);
});

test.each([['javascript:alert(1)'], [''], [undefined]])('a redirect to %s is no answer of the service', (location) => {
  expect(serviceFailure({ ...answer, location }).message).toMatch(/is not the log query service \(status 301\)/);
});
