/** Poll targets of messages of partners: nobody is ever polled about them. */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'

/** Ids by kind and number: `container MSCU1234566`. */
export async function ensurePushTargets(
  db: Db,
  of: {
    readonly channelId: string
    readonly scac: string
    readonly at: string
    readonly targets: readonly MentionedNumber[]
  },
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(of.targets.map((target) => [`${target.kind} ${target.number}`, target]))
  if (wanted.size === 0) return new Map()
  const targets = [...wanted.values()]
  const { rows } = await db.query<{ id: string; kind: string; number: string }>({
    name: 'subjects_ensure_told',
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at)
           select w.id, $1, $2, w.kind, w.number, $3
             from unnest($4::uuid[], $5::text[], $6::text[]) as w (id, kind, number)
            order by w.kind, w.number
           on conflict (credential_id, kind, number) do update set number = excluded.number
           returning id, kind, number`,
    values: [
      of.channelId,
      of.scac,
      of.at,
      targets.map(() => uuidV7(Date.parse(of.at))),
      targets.map(({ kind }) => kind),
      targets.map(({ number }) => number),
    ],
  })
  return new Map(rows.map(({ id, kind, number }) => [`${kind} ${number}`, id]))
}
