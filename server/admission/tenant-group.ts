/**
 * Tokens whose work competes as one: all of a tenant, which may have hundreds of them. A token that is not confined to
 * a tenant competes alone.
 */

/** @param tenant of the token; null: it is not confined to one */
export function groupOf(tokenId: string, tenant: string | null): string {
  return tenant === null ? tokenId : `tenant ${tenant}`;
}
