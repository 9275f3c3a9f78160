/** A person snoozes an exception for a time, and ends the snooze. */

import { inTransaction } from '../../db/database.ts'
import { parseItemId } from '../../domain/view/attention-item.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { deleteSnooze, hasSubject, putSnooze } from './attention-snoozes-sql.ts'
import { findItemsOfReason } from './find-items.ts'
import { type AttentionItemView, buildAttentionQuestion } from './list-attention.ts'

const daysMax = 366

/** Only what needs a person now can be set aside. A second call changes the time. */
export async function snoozeItem(
  service: Service,
  context: Context,
  input: { readonly id: string; readonly until: string },
): Promise<AttentionItemView> {
  requireScope(context, 'write')
  const { item, key } = await getItem(service, context, input.id)
  const until = readSnoozeTime(service, input.until, '/until')
  await inTransaction(service.pool, async (db) => {
    await putSnooze(db, {
      accountId: context.account.id,
      ...key,
      until,
      by: changedBy(service, context),
    })
    await recordChange(db, service, context, {
      action: 'attention_item.snoozed',
      target: { type: 'attention_item', id: key.subjectId },
      diff: { [key.reason]: [null, until] },
    })
  })
  return { ...item, snoozedUntil: until }
}

/** `pointer`: where the time is in the body. */
export function readSnoozeTime(service: Service, text: string, pointer: string): string {
  const ms = Date.parse(text)
  const nowMs = service.clock.now()
  if (ms <= nowMs) throw refusedAt(pointer, 'This time has passed.')
  if (ms > nowMs + daysMax * 86_400_000) throw refusedAt(pointer, `This is more than ${daysMax} days from now.`)
  return new Date(ms).toISOString()
}

/** What was not set aside stays as it is. */
export async function endSnooze(service: Service, context: Context, { id }: { readonly id: string }): Promise<void> {
  requireScope(context, 'write')
  const key = parseItemId(id)
  const accountId = context.account.id
  if (key === null || !(await hasSubject(service.pool, { accountId, id: key.subjectId })))
    throw notFound('attention item')
  await inTransaction(service.pool, async (db) => {
    const until = await deleteSnooze(db, { accountId, ...key })
    if (until === null) return
    await recordChange(db, service, context, {
      action: 'attention_item.snooze_ended',
      target: { type: 'attention_item', id: key.subjectId },
      diff: { [key.reason]: [until, null] },
    })
  })
}

async function getItem(service: Service, context: Context, id: string) {
  const key = parseItemId(id)
  if (key === null) throw notFound('attention item')
  const query = { ...buildAttentionQuestion(service, context), subjectIds: [key.subjectId], snoozed: 'all' } as const
  const [item] = await findItemsOfReason(service.pool, key.reason, query)
  if (item === undefined) throw notFound('attention item')
  return { item, key }
}
