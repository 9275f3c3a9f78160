/** The newest stored answers about a number, and the secrets with which its line is polled. */

import { type NumberKind, numberKinds } from '../../connectors/source.ts'
import type { Db } from '../../db/database.ts'

export interface AnswerKey {
  readonly accountId: string
  readonly isSandbox: boolean
  readonly scac: string
  /** As it may be stored. */
  readonly numbers: readonly string[]
  /** Null: of each kind. */
  readonly kind: NumberKind | null
  /** Null: the newest. */
  readonly snapshotId: string | null
}

export interface StoredAnswer {
  readonly snapshotId: string
  readonly kind: NumberKind
  readonly number: string
  /** ISO instant, journey clock. */
  readonly fetchedAt: string
}

/** Only through a channel of the account or of the installation. */
export async function findStoredAnswer(db: Db, key: AnswerKey): Promise<StoredAnswer | null> {
  const { rows } = await db.query<StoredAnswer>({
    name: 'stored_answer_find',
    text: `select n.id as "snapshotId", s.kind, s.number,
                  to_jsonb(case when n.id = s.last_snapshot_id then s.last_attempted_at else n.recorded_at end) #>> '{}'
                    as "fetchedAt"
             from channels c join subjects s on s.credential_id = c.id join kept_snapshots n on n.subject_id = s.id
            where c.scac = $2 and c.is_fiction = $3 and c.is_asked and (c.account_id = $1 or c.account_id is null)
              and s.kind = any($5::text[]) and s.number = any($4::text[])
              and n.id = coalesce($6::uuid, s.last_snapshot_id)
            order by s.last_attempted_at desc nulls last
            limit 1`,
    values: [
      key.accountId,
      key.scac,
      key.isSandbox,
      key.numbers,
      key.kind === null ? numberKinds : [key.kind],
      key.snapshotId,
    ],
  })
  return rows[0] ?? null
}

/** Of all ways in which the account polls the line or gets messages of it. */
export async function listEncryptedSecrets(
  db: Db,
  of: { readonly accountId: string; readonly scac: string },
): Promise<readonly Buffer[]> {
  const { rows } = await db.query<{ secret: Buffer }>({
    name: 'line_secrets',
    text: `select secret_sealed as secret from channels
            where scac = $2 and (account_id = $1 or account_id is null) and secret_sealed is not null`,
    values: [of.accountId, of.scac],
  })
  return rows.map(({ secret }) => secret)
}
