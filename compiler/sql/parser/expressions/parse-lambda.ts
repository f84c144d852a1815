/** Parses lambdas, which are arguments of calls: `e -> f(e)`, `(e, i) -> f(e, i)`. */
import type { LambdaExpression } from '../../../ast/expressions';
import type { Parser } from '../parser';

/** Whether the next tokens are the parameters of a lambda and its arrow. */
export function atLambda(parser: Parser): boolean {
  if (!parser.at('(')) return parser.atName() && parser.lookahead(1).symbol === '->';
  let distance = 1;
  while (isPlainName(parser, distance) && parser.lookahead(distance + 1).symbol === ',') distance += 2;
  return (
    isPlainName(parser, distance) &&
    parser.lookahead(distance + 1).symbol === ')' &&
    parser.lookahead(distance + 2).symbol === '->'
  );
}

function isPlainName(parser: Parser, distance: number): boolean {
  const { kind } = parser.lookahead(distance);
  return kind === 'word' || kind === 'quoted-name';
}

/** The caller has found a lambda with `atLambda`. */
export function parseLambda(parser: Parser): LambdaExpression {
  const start = parser.token.position;
  const isList = parser.accept('(');
  const parameters: LambdaExpression['parameters'] = isList ? parser.list(() => parser.name()) : [parser.name()];
  if (isList) parser.expect(')');
  parser.expect('->');
  const body = parser.expression();
  return { kind: 'lambda', parameters, body, position: parser.node(start) };
}
