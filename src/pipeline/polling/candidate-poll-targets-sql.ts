/** The poll targets of a number whose line is not known: one under each credential with which it may be polled. */

import type { Db } from '../../db/database.ts'
import type { PollTargetKind } from './poll-targets-sql.ts'

export interface WantedPollTarget {
  readonly id: string
  readonly credentialId: string
  readonly scac: string
  readonly number: string
}

/**
 * The poll targets of one kind under many credentials, by credential. Missing ones are created; none becomes due. They
 * are written in one order, so that two requests for one number do not lock each other out.
 */
export async function ensurePollTargets(
  db: Db,
  kind: PollTargetKind,
  wanted: readonly WantedPollTarget[],
  createdAt: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; credentialId: string }>({
    name: 'subjects_ensure',
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at)
           select w.id, w.credential_id, w.scac, $5, w.number, $6
             from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as w (id, credential_id, scac, number)
            order by w.credential_id
           on conflict (credential_id, kind, number) do update set number = excluded.number
           returning id, credential_id as "credentialId"`,
    values: [
      wanted.map(({ id }) => id),
      wanted.map(({ credentialId }) => credentialId),
      wanted.map(({ scac }) => scac),
      wanted.map(({ number }) => number),
      kind,
      createdAt,
    ],
  })
  return new Map(rows.map(({ id, credentialId }) => [credentialId, id]))
}
