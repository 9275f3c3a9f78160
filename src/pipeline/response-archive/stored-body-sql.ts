/**
 * A body as it is stored. The answer to a poll is stored unencrypted. A message of a partner is encrypted, each body
 * for its own row: only `pipeline/response-archive/encrypted-bodies.ts` can decrypt it. Old snapshots of both kinds are
 * in packs, which `pipeline/response-archive/open-snapshots.ts` reads.
 */

export type StoredBody =
  | { readonly kind: 'clear'; readonly bytes: Buffer }
  | { readonly kind: 'sealed'; readonly encrypted: Buffer }

export type SnapshotBody = StoredBody | { readonly kind: 'packed'; readonly place: PackedPlace }

/** Where a body is in a pack. All are bytes; `bodyAt` and `bodyBytes` count in the frame when it is decompressed. */
export interface PackedPlace {
  readonly packId: string
  readonly frameAt: number
  readonly frameBytes: number
  readonly bodyAt: number
  readonly bodyBytes: number
}

/** From a row with the two columns; null when neither is stored any more. */
export function readStoredBody(row: {
  readonly body: Buffer | null
  readonly encryptedBody: Buffer | null
}): StoredBody | null {
  if (row.encryptedBody !== null) return { kind: 'sealed', encrypted: row.encryptedBody }
  return row.body === null ? null : { kind: 'clear', bytes: row.body }
}

export interface SnapshotBodyRow {
  readonly body: Buffer | null
  readonly encryptedBody: Buffer | null
  readonly place: PackedPlace | null
}

/** The columns of a `SnapshotBodyRow`, of `kept_snapshots n`. */
export const snapshotBodyColumns = `n.body, n.sealed_body as "encryptedBody",
  case when n.pack_id is not null then json_build_object('packId', n.pack_id, 'frameAt', n.frame_at,
    'frameBytes', n.frame_bytes, 'bodyAt', n.body_at, 'bodyBytes', n.body_bytes) end as place`

export function readSnapshotBody({ body, encryptedBody, place }: SnapshotBodyRow): SnapshotBody | null {
  return place === null ? readStoredBody({ body, encryptedBody }) : { kind: 'packed', place }
}
