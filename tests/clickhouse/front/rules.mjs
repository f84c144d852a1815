/**
 * What goes wrong, and when: a list of rules, the first that matches a request is used.
 *
 *   { match: 'INSERT INTO', times: 1, skip: 2, then: { ... } }
 *
 * `match` is a regular expression on the statement (without: all, pings too); `skip` requests pass first, `times` are
 * struck (without: all). `then` is one of
 *   { answer: '26.9.27.1' }            this text instead of the engine's
 *   { code: 243, message: '...' }      an exception of the server, nothing done
 *   { code, message, after: true }     the statement is run, then answered with the exception
 *   { delayMs: 500 }                   late, but right
 *   { status: 502 }                    a gateway's answer
 *   { reset: true }                    the connection is closed before anything is done
 *   { reset: true, after: true }       ... after the statement was run
 *   { cutAfterBytes: 100 }             the connection is closed in the middle of the answer
 *   { raiseAfterBytes: 100, message }  an exception in the middle of the answer
 *   { die: true, after?: true }        the process exits
 *   { profile: '{"limit":"1"}' }       right, with these settings where the statement has no others
 */
export function createRules() {
  let rules = [];
  let statements = [];
  return {
    replace(list) {
      rules = list.map((rule) => ({ ...rule, skip: rule.skip ?? 0, times: rule.times ?? Infinity }));
      statements = [];
    },
    /** Statements since the rules were set, for tests that ask what was sent. */
    seen: () => statements,
    /** @returns the fault of this request, or an empty one */
    take(text, settings) {
      statements.push({ text: text.slice(0, 2000), settings });
      const rule = rules.find(
        ({ match, times }) => times > 0 && (match === undefined || new RegExp(match, 'is').test(text))
      );
      if (rule === undefined) return {};
      if (rule.skip > 0) {
        rule.skip--;
        return {};
      }
      rule.times--;
      return rule.then;
    },
  };
}
