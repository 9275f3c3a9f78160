/**
 * A body as it is stored. The answer to a look is stored unencrypted. A message of a partner is encrypted, each body
 * for its own row: only `service/ground/sealed-bodies.ts` can decrypt it.
 */

export type KeptBody =
  | { readonly kind: 'clear'; readonly bytes: Buffer }
  | { readonly kind: 'sealed'; readonly sealed: Buffer }

/** From a row with the two columns; null when neither is kept any more. */
export function readKeptBody(row: {
  readonly body: Buffer | null
  readonly sealedBody: Buffer | null
}): KeptBody | null {
  if (row.sealedBody !== null) return { kind: 'sealed', sealed: row.sealedBody }
  return row.body === null ? null : { kind: 'clear', bytes: row.body }
}
