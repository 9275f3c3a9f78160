/** The inbox of exceptions of an account: what needs a person, the most urgent first, and of how much nothing is known. */

import type { Page, PageRequest, Position } from '../../db/listing/page.ts'
import { type AttentionItem, compareRanks, parseItemId, type Rank, rankOf } from '../../domain/view/attention-item.ts'
import { type AttentionReason, attentionReasons } from '../../domain/view/attention-reasons.ts'
import { type Context, requireScope } from '../access/context.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import type { AttentionNarrowing, AttentionQuestion } from './attention-narrowing-sql.ts'
import { countAttentionUnknown, unknowns } from './attention-unknown-sql.ts'
import { findItems, joinMarks, readMarks } from './find-items.ts'

/** A list ends here, and so does what is found for one reason. */
export const listedMax = 500
const unknownMax = 10_000

export interface AttentionItemView extends AttentionItem {
  readonly snoozedUntil: string | null
}

export interface AttentionList {
  readonly page: Page<AttentionItemView>
  /** More was found than is listed. */
  readonly isCut: boolean
  /** Null for more than 10,000. Only reasons of which something can be unknown. */
  readonly unknown: Readonly<Partial<Record<AttentionReason, number | null>>>
}

export interface AttentionFilter extends Pick<AttentionNarrowing, 'scac'> {
  readonly reasons: readonly AttentionReason[] | null
  readonly shipmentId: string | null
  readonly isSnoozed: boolean
}

export async function listAttention(
  service: Service,
  context: Context,
  { filter, page }: { readonly filter: AttentionFilter; readonly page: PageRequest },
): Promise<AttentionList> {
  requireScope(context, 'read')
  const { scac = null, shipmentId } = filter
  const reasons = filter.reasons ?? attentionReasons
  const query: AttentionQuestion = {
    ...buildAttentionQuestion(service, context),
    scac,
    shipmentIds: shipmentId === null ? null : [shipmentId],
    snoozed: filter.isSnoozed ? 'only' : 'out',
  }
  const [items, unknown] = await Promise.all([
    findItems(service.pool, reasons, query),
    countUnknown(service, reasons, query),
  ])
  const listedPage = pageOf(items.slice(0, listedMax), page)
  return {
    page: { ...listedPage, rows: await withSnoozes(service, context, listedPage.rows) },
    isCut: items.length > listedMax || isFull(items),
    unknown,
  }
}

export function buildAttentionQuestion(service: Service, { account }: Context): AttentionQuestion {
  return {
    accountId: account.id,
    now: journeyNow(service, account.isSandbox),
    realNow: realNow(service),
    limit: listedMax,
  }
}

/** The search for one of the reasons stopped at its limit. */
function isFull(items: readonly AttentionItem[]): boolean {
  const counts = Map.groupBy(items, ({ reason }) => reason)
  return [...counts.values()].some((each) => each.length >= listedMax)
}

/** Null for more than 10,000. */
export async function countUnknown(
  { pool }: Service,
  reasons: readonly AttentionReason[],
  query: AttentionQuestion,
): Promise<AttentionList['unknown']> {
  const names = (Object.keys(unknowns) as (keyof typeof unknowns)[]).filter((name) => reasons.includes(name))
  const counts = await Promise.all(
    names.map(async (name) => [name, await countAttentionUnknown(pool, name, { ...query, max: unknownMax })] as const),
  )
  return Object.fromEntries(counts)
}

async function withSnoozes(
  service: Service,
  { account }: Context,
  items: readonly AttentionItem[],
): Promise<readonly AttentionItemView[]> {
  return joinMarks(items, await readMarks(service.pool, { accountId: account.id, items, realNow: realNow(service) }))
}

/** A page of a list that is in memory: by number, or by a position of which the item may be gone. */
function pageOf(items: readonly AttentionItem[], { number, size, cursor }: PageRequest): Page<AttentionItem> {
  const start = findPageStart(items, { number, size, cursor: cursor ?? null })
  const rows = items.slice(Math.max(0, start), Math.max(0, start + size))
  return {
    rows,
    total: items.length,
    pagePosition: {
      first: positionOf(rows[0]),
      last: positionOf(rows.at(-1)),
      hasNext: start + size < items.length,
      hasPrevious: start > 0,
    },
  }
}

function findPageStart(items: readonly AttentionItem[], { number, size, cursor }: Required<PageRequest>): number {
  if (cursor === null) return (number - 1) * size
  const { side, position } = cursor
  if (position === null) return side === 'after' ? 0 : Math.max(0, items.length - size)
  const at = parseRank(position)
  const isBeyond = (item: AttentionItem) => {
    const order = compareRanks(rankOf(item), at)
    return side === 'after' ? order > 0 : order >= 0
  }
  const found = items.findIndex(isBeyond)
  const end = found < 0 ? items.length : found
  return side === 'after' ? end : Math.max(0, end - size)
}

function positionOf(item: AttentionItem | undefined): Position | null {
  if (item === undefined) return null
  const { reason, key } = rankOf(item)
  return { value: `${reason} ${key}`, tie: null, id: parseItemId(item.id)?.subjectId ?? '' }
}

function parseRank({ value, id }: Position): Rank {
  const [name, key] = value.split(' ')
  const reason = attentionReasons.find((each) => each === name) ?? 'no_news'
  return { reason, key: Number(key), id: `${reason}.${id}` }
}
