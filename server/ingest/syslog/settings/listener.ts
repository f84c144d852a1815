/** A listener for syslog messages, as the file of listeners declares it. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { tenantSchema } from '#contract/tokens/tenant';
import { timeZoneOf } from '../parse/time-zone';

/** Address or network: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

export function networkOf(text: string): Network | null {
  const [address = '', prefixText, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return null;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

const networkSchema = z.string().transform((text, context): Network => {
  const network = networkOf(text);
  if (network !== null) return network;
  context.addIssue('must be an address or a network like 10.0.0.0/8');
  return z.NEVER;
});

const fileSchema = z.string().min(1).max(4096);

export const listenerSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,62}$/)
      .describe('Names the listener in metrics and in the log.'),
    transport: z.enum(['udp', 'tcp', 'tls']),
    host: z.string().min(1).max(255).default('127.0.0.1').describe('Address to listen on.'),
    port: z.int().min(0).max(65_535).describe('0 takes a free one.'),
    source: z.string().min(1).max(128).describe('Name or alias of the source that messages are stored in.'),
    tenant: tenantSchema.nullable().default(null).describe('Tenant of all messages.'),
    allow: z
      .array(networkSchema)
      .max(1000)
      .default([
        { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
        { address: '::1', prefix: 128, family: 'ipv6' },
      ])
      .describe('Addresses and networks that may send; all others are refused.'),
    time_zone: z
      .string()
      .refine((name) => timeZoneOf(name) !== null, 'must be UTC, an offset like +02:00, or a zone like Europe/Berlin')
      .default('UTC')
      .describe('Zone of times that name none.'),
    certificate: fileSchema.nullable().default(null).describe('PEM file of the certificate and its chain, for TLS.'),
    key: fileSchema.nullable().default(null).describe('PEM file of its private key.'),
    client_ca: fileSchema
      .nullable()
      .default(null)
      .describe('PEM file of the authorities that sign the certificates of senders, which are required then.'),
  })
  .superRefine(({ transport, certificate, key, client_ca }, context) => {
    const isTls = transport === 'tls';
    if (isTls && (certificate === null || key === null))
      context.addIssue({ code: 'custom', message: 'TLS needs "certificate" and "key"', path: ['transport'] });
    if (!isTls && (certificate ?? key ?? client_ca) !== null)
      context.addIssue({ code: 'custom', message: 'only TLS has certificates', path: ['transport'] });
  });

export type Listener = z.infer<typeof listenerSchema>;

const MAX_LISTENERS = 64;

export const listenersSchema = z.strictObject({ listeners: z.array(listenerSchema).min(1).max(MAX_LISTENERS) });

/** @param address of IPv4 or IPv6; one of IPv4 within IPv6 must be written as IPv4 */
export type IsAllowed = (address: string) => boolean;

export function allowedBy({ allow }: Pick<Listener, 'allow'>): IsAllowed {
  // One list for each family: Node takes IPv4 for a part of IPv6, so "::/0" would allow every IPv4 address.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of allow) lists[family].addSubnet(address, prefix, family);
  return (address) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    return lists[family].check(address, family);
  };
}
