/** The changes of lines' answers, and a stored answer that shows them. */

import type { ShapeChange } from '../../domain/tracking-requests/answer-shape.ts'
import { addDays } from '../../domain/values/time.ts'
import { openWithAccess } from '../../pipeline/response-archive/open-snapshots.ts'
import { realNow, type Service } from '../service.ts'
import { shapeOfAnswer } from './answer-shape-of.ts'
import { type ChannelChanges, findNewestAnswers, listShapeChanges } from './answer-shapes-sql.ts'
import type { PastedAnswer } from './read-answer.ts'

/** For so many days a change is listed. */
export const changesDays = 14
const answersMax = 200
const openedAtOnce = 20

/** Of all accounts, for the operator. The sandbox is no source whose answers change. */
export async function listChangedChannels(
  service: Service,
  { scacs }: { readonly scacs: readonly string[] },
): Promise<readonly ChannelChanges[]> {
  const since = addDays(realNow(service), -changesDays)
  const channels = await listShapeChanges(service.pool, { accountId: null, since })
  return channels.filter(({ scac, isSandbox }) => !isSandbox && (scacs.length === 0 || scacs.includes(scac)))
}

export interface ChangedAnswer<Change extends ShapeChange> {
  readonly answer: Required<PastedAnswer>
  readonly shows: readonly Change[]
}

/** Of the newest stored answers, the one that shows most of the changes, or the newest of these; null when none does. */
export async function findChangedAnswer<Change extends ShapeChange>(
  service: Service,
  { credentialId, changes }: { readonly credentialId: string; readonly changes: readonly Change[] },
): Promise<ChangedAnswer<Change> | null> {
  const { pool } = service
  const newest = await findNewestAnswers(pool, { credentialId, answersMax })
  let best: ChangedAnswer<Change> | null = null
  for (let from = 0; from < newest.length; from += openedAtOnce) {
    const slice = newest.slice(from, from + openedAtOnce)
    const opened = await openWithAccess(
      service,
      pool,
      slice.map(({ snapshotId }) => snapshotId),
    )
    for (const { snapshotId, at } of slice) {
      const found = opened.get(snapshotId)
      const shape = found === undefined ? null : shapeOfAnswer(found.snapshot)
      if (found === undefined || shape === null) continue
      const shows = findShownChanges(shape, changes)
      if (shows.length <= (best?.shows.length ?? 0)) continue
      const { snapshot, access } = found
      const { scac, kind, number, source, profile } = access
      const { body, status, contentType } = snapshot
      const answered = { status, contentType }
      best = { answer: { scac, kind, number, body, at, access: { source, profile }, answered }, shows }
    }
    if (best?.shows.length === changes.length) break
  }
  return best
}

/** Those of the changes that an answer of this shape has. A change against what was attested names only the member. */
export function findShownChanges<Change extends ShapeChange>(
  shape: ReadonlySet<string>,
  changes: readonly Change[],
): readonly Change[] {
  return changes.filter(({ kind, member }) => shape.has(member) !== (kind === 'missing_member'))
}
