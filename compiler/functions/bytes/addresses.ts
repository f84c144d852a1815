/** IP addresses as four or 16 bytes. */
import type { AddressOps } from '../../ir/operations/ops';
import { BYTES, INT64, STRING, type Type } from '../../ir/types';
import { callValue, checkCount, typedArgument } from '../arguments';
import type { FunctionSpec, Value } from '../function';

const fromString = address({
  usage: 'NET.IP_FROM_STRING(text)',
  summary: 'The bytes of an IPv4 or IPv6 address.',
  fn: 'ip_from_text',
  takes: [STRING],
  returns: BYTES,
});

export const addressFunctions: readonly FunctionSpec[] = [
  fromString,
  {
    ...fromString,
    names: ['NET.SAFE_IP_FROM_STRING'],
    safe: 'never fails',
    usage: 'NET.SAFE_IP_FROM_STRING(text)',
    summary: 'The bytes of an IPv4 or IPv6 address; NULL for other texts.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, 'NET.SAFE_IP_FROM_STRING(text)', 1);
      return callValue(call, 'ip_from_text', [typedArgument(call, ctx, 0, STRING)], BYTES, { safe: true });
    },
  },
  address({
    usage: 'NET.IP_TO_STRING(address)',
    summary: 'The text of an address of four or 16 bytes.',
    fn: 'ip_to_text',
    takes: [BYTES],
    returns: STRING,
  }),
  address({
    usage: 'NET.IP_NET_MASK(size, bits)',
    summary: 'The mask of a network, of 4 or 16 bytes.',
    fn: 'ip_mask',
    takes: [INT64, INT64],
    returns: BYTES,
  }),
  address({
    usage: 'NET.IP_TRUNC(address, bits)',
    summary: 'The network of an address: its first bits, the others 0.',
    fn: 'ip_trunc',
    takes: [BYTES, INT64],
    returns: BYTES,
  }),
  address({
    usage: 'NET.IPV4_FROM_INT64(number)',
    summary: 'The four bytes of an IPv4 address that is a number.',
    fn: 'ipv4_from_integer',
    takes: [INT64],
    returns: BYTES,
  }),
  address({
    usage: 'NET.IPV4_TO_INT64(address)',
    summary: 'The number of an IPv4 address.',
    fn: 'ipv4_to_integer',
    takes: [BYTES],
    returns: INT64,
  }),
];

function address(spec: {
  readonly usage: string;
  readonly summary: string;
  readonly fn: keyof AddressOps;
  readonly takes: readonly Type[];
  readonly returns: Type;
}): FunctionSpec {
  const { usage, summary, fn, takes, returns } = spec;
  return {
    names: [usage.slice(0, usage.indexOf('('))],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, takes.length);
      const args: readonly Value[] = takes.map((type, index) => typedArgument(call, ctx, index, type));
      return callValue(call, fn, args, returns, { safe: call.safe });
    },
  };
}
