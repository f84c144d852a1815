/** Finds the token that an operator means by its id or its name. */

/** The id or name matches no token, or more than one. */
export class TokenChoiceError extends Error {
  override readonly name = 'TokenChoiceError';
}

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly revoked_at: string | null;
}

/** @throws TokenChoiceError */
export function chooseToken<T extends Choice>(tokens: readonly T[], idOrName: string): T {
  const live = tokens.filter((token) => token.revoked_at === null);
  const byId = live.find((token) => token.id === idOrName);
  if (byId) return byId;
  const byName = live.filter((token) => token.name === idOrName);
  if (byName.length === 1) return byName[0]!;
  if (byName.length > 1) {
    const ids = byName.map((token) => token.id).join(', ');
    throw new TokenChoiceError(`"${idOrName}" is the name of ${byName.length} tokens; give one of the ids ${ids}`);
  }
  const isRevoked = tokens.some((token) => token.id === idOrName || token.name === idOrName);
  throw new TokenChoiceError(
    isRevoked ? `token "${idOrName}" is revoked already` : `there is no token with the id or name "${idOrName}"`
  );
}
