/**
 * What came, as it lies in the database: what was answered to a look in clear, what came unasked sealed, each for its own
 * row. What is sealed is no bytes to read: only `service/ground/sealed-bodies.ts` makes some of it.
 */

export type KeptBody =
  | { readonly kind: 'clear'; readonly bytes: Buffer }
  | { readonly kind: 'sealed'; readonly sealed: Buffer }

/** Of a row with the two columns; null when neither is kept any more. */
export function readKeptBody(row: {
  readonly body: Buffer | null
  readonly sealedBody: Buffer | null
}): KeptBody | null {
  if (row.sealedBody !== null) return { kind: 'sealed', sealed: row.sealedBody }
  return row.body === null ? null : { kind: 'clear', bytes: row.body }
}
