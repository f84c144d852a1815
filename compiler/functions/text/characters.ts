/** TRANSLATE and INITCAP. */
import { STRING } from '../../ir/types';
import { callValue, checkCount, constantArgument, nullValue, typedArgument, argumentsAt } from '../arguments';
import type { FunctionSpec } from '../function';

export const translate: FunctionSpec = {
  names: ['TRANSLATE'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(1, 2),
  usage: "TRANSLATE(text, 'characters', 'replacements')",
  summary:
    'With each of the characters replaced by the one at the same place; those without a replacement are removed.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, translate.usage, 3);
    const text = typedArgument(call, ctx, 0, STRING);
    const [from, to] = [constantArgument(call, ctx, 1, STRING), constantArgument(call, ctx, 2, STRING)];
    if (from.constant === null || to.constant === null) return nullValue(call, STRING);
    const characters = [...String(from.constant)];
    const twice = characters.find((character, index) => characters.indexOf(character) !== index);
    if (twice !== undefined) {
      ctx.fail('wrong_arguments', `TRANSLATE replaces "${twice}" twice`, from.value.position);
    }
    return characters.length === 0 ? text : callValue(call, 'translate', [text, from.value, to.value], STRING);
  },
};

/** Characters after which a word begins, if none are given. */
const BETWEEN_WORDS = ' \t\n\r\f\v[](){}/|<>!?@"^#$&~_,.:;*%+-\\';

export const initcap: FunctionSpec = {
  names: ['INITCAP'],
  kind: 'scalar',
  safe: 'never fails',
  constants: argumentsAt(1),
  usage: "INITCAP(text[, 'delimiters'])",
  summary: 'Each word with a capital letter and small ones.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, initcap.usage, 1, 2);
    const text = typedArgument(call, ctx, 0, STRING);
    const between = call.args.length === 1 ? BETWEEN_WORDS : constantArgument(call, ctx, 1, STRING).constant;
    if (between === null) return nullValue(call, STRING);
    const characters = [...new Set(String(between))].map(
      (character) => `\\x{${character.codePointAt(0)?.toString(16)}}`
    );
    const hasLetters = /\p{L}/u.test(String(between));
    return callValue(call, 'initcap', [text], STRING, { pattern: characters.join(''), hasLetters });
  },
};
