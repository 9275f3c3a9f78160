/** What people do with an entry: it is done, or set aside, or open again; it is assigned to a member. */

import { type Db, inTransaction } from '../../db/database.ts'
import { parseItemId } from '../../domain/view/attention-item.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import {
  deleteItemMarks,
  isMember,
  listMarks,
  lockSubject,
  putAssignee,
  putDone,
  putSnooze,
} from './attention-snoozes-sql.ts'
import { hashBasis } from './find-items.ts'
import { type EntryView, findEntry, markEntry } from './list-entries.ts'
import { readSnoozeTime } from './snooze-item.ts'

export interface EntryChanges {
  readonly state?: 'open' | 'done'
  /** Null: not set aside any more. */
  readonly snoozedUntil?: string | null
  readonly assignedToId?: string | null
  /** As it was read. Nothing is changed when something new has happened since. */
  readonly version?: string
}

/** `found`: as it was read a moment ago. What is left out stays. */
export async function updateEntry(
  service: Service,
  context: Context,
  changes: EntryChanges & { readonly id: string; readonly ifCurrent?: PreconditionCheck<EntryView> | null },
  found: EntryView,
): Promise<EntryView> {
  requireScope(context, 'write')
  const until = await checkChanges(service, context, { changes, found })
  const key = { accountId: context.account.id, subjectId: changes.id }
  return inTransaction(service.pool, async (db) => {
    await lockSubject(db, key)
    const before = await readAgain(db, service, { ...key, entry: found })
    requireCurrent(changes.ifCurrent, before)
    await writeChanges(db, { entry: before, changes, until, by: changedBy(service, context), ...key })
    const after = await readAgain(db, service, { ...key, entry: before })
    const diff = diffOf(before, after, ['state', 'snoozedUntil', 'assignedTo'])
    if (diff !== null)
      await recordChange(db, service, context, {
        action: 'attention_entry.updated',
        target: { type: 'attention_entry', id: changes.id },
        diff,
      })
    return after
  })
}

/** What is done elsewhere needs nobody any more. Does nothing where nobody is needed. */
export async function markDone(service: Service, context: Context, { id }: { readonly id: string }): Promise<void> {
  const entry = await findEntry(service, context, { id })
  if (entry !== null) await updateEntry(service, context, { id, state: 'done' }, entry)
}

/** Returns the time until which it is set aside; null when it is not to be set aside. */
async function checkChanges(
  service: Service,
  context: Context,
  { changes, found }: { readonly changes: EntryChanges; readonly found: EntryView },
): Promise<string | null> {
  const { state, snoozedUntil = null, assignedToId = null, version } = changes
  if (state !== undefined && snoozedUntil !== null)
    throw refusedAt(at('snoozed_until'), 'Send either `state` or `snoozed_until`.')
  const until = snoozedUntil === null ? null : readSnoozeTime(service, snoozedUntil, at('snoozed_until'))
  if (assignedToId !== null && !(await isMember(service.pool, { accountId: context.account.id, id: assignedToId })))
    throw refusedAt(at('assigned_to_id'), 'Nobody with this id is a member of the account.')
  if (version !== undefined && version !== found.version)
    throw new ServiceError('conflict', 'Something new has happened since this was read. Read it again.', {
      source: { pointer: at('version') },
    })
  return until
}

const at = (name: string) => `/data/attributes/${name}`

async function readAgain(
  db: Db,
  service: Service,
  {
    entry,
    accountId,
    subjectId,
  }: { readonly entry: EntryView; readonly accountId: string; readonly subjectId: string },
): Promise<EntryView> {
  return markEntry(entry, await listMarks(db, { accountId, subjectIds: [subjectId], now: realNow(service) }))
}

async function writeChanges(
  db: Db,
  of: {
    readonly entry: EntryView
    readonly changes: EntryChanges
    readonly until: string | null
    readonly by: ReturnType<typeof changedBy>
    readonly accountId: string
    readonly subjectId: string
  },
): Promise<void> {
  const { entry, changes, until, by, accountId, subjectId } = of
  const { state, assignedToId } = changes
  const key = { accountId, subjectId, by }
  if (state === 'done') {
    const items = entry.items.filter(({ isDone }) => !isDone)
    await putDone(db, { ...key, items: items.map((item) => ({ reason: item.reason, basis: hashBasis(item) })) })
  }
  const isOpened = state === 'open' || (changes.snoozedUntil === null && entry.state === 'set_aside')
  if (isOpened) await deleteItemMarks(db, key)
  if (until !== null)
    for (const { id } of entry.items) {
      const item = parseItemId(id)
      if (item !== null) await putSnooze(db, { ...key, ...item, until })
    }
  if (assignedToId !== undefined && assignedToId !== entry.assignedTo)
    await putAssignee(db, { ...key, userId: assignedToId })
}
