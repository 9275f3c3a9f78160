/** Joins items with what people have done with them. */

import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { type AttentionItem, parseItemId } from '../../domain/view/attention-item.ts'
import { type AttentionMark, listMarks } from './attention-snoozes-sql.ts'

export interface MarkedItem extends AttentionItem {
  readonly snoozedUntil: string | null
  /** Somebody has done it, and nothing new has happened since. */
  readonly isDone: boolean
}

export async function readMarks(
  db: Db,
  of: { readonly accountId: string; readonly items: readonly AttentionItem[]; readonly realNow: string },
): Promise<readonly AttentionMark[]> {
  const ids = of.items.map(({ id }) => parseItemId(id)?.subjectId ?? '')
  if (ids.length === 0) return []
  return listMarks(db, { accountId: of.accountId, subjectIds: [...new Set(ids)], now: of.realNow })
}

export function joinMarks(items: readonly AttentionItem[], marks: readonly AttentionMark[]): readonly MarkedItem[] {
  const byId = new Map(marks.map((mark) => [`${mark.reason}.${mark.subjectId}`, mark]))
  return items.map((item) => {
    const mark = byId.get(item.id)
    return { ...item, snoozedUntil: mark?.until ?? null, isDone: mark?.doneBasis === hashBasis(item) }
  })
}

/** A hash, because sources write what a basis contains, and it may be long. */
export function hashBasis({ basis }: Pick<AttentionItem, 'basis'>): string {
  return createHash('sha256').update(basis).digest('base64url')
}
