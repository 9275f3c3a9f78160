/** Subjects of messages of partners: nobody is ever asked about them. */

import { uuidV7 } from '../../platform/ids.ts'
import type { SpokenOf } from '../../sources/told.ts'
import type { Db } from '../database.ts'

/** Ids by kind and number: `container MSCU1234566`. */
export async function ensureToldSubjects(
  db: Db,
  of: {
    readonly channelId: string
    readonly scac: string
    readonly at: string
    readonly subjects: readonly SpokenOf[]
  },
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(of.subjects.map((subject) => [`${subject.kind} ${subject.number}`, subject]))
  if (wanted.size === 0) return new Map()
  const subjects = [...wanted.values()]
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
      subjects.map(() => uuidV7(Date.parse(of.at))),
      subjects.map(({ kind }) => kind),
      subjects.map(({ number }) => number),
    ],
  })
  return new Map(rows.map(({ id, kind, number }) => [`${kind} ${number}`, id]))
}
