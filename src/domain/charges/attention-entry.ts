/**
 * One entry for each container, shipment or request that needs a person: all its reasons, the day of action and what it
 * costs. This file alone decides under which heading an entry is listed, and in which order.
 */

import { type AttentionItem, compareRanks, parseItemId, rankOf } from '../view/attention-item.ts'
import { type AttentionReason, attentionReasons } from '../view/attention-reasons.ts'
import { sumByCurrency } from './bill.ts'
import { sumFees } from './fees.ts'
import type { Money } from './money.ts'

/** By the day of action, in the order of the list. `waiting`: somebody else must act. */
export const actionGroups = ['overdue', 'today', 'tomorrow', 'this_week', 'waiting'] as const
export type ActionGroup = (typeof actionGroups)[number]

export interface EntryMoney {
  /** By the terms on record, until today, and for each day from now on. */
  readonly owed: readonly Money[]
  readonly perDay: readonly Money[]
  /** That the terminal or railway reports. They may be about the same days. */
  readonly fees: readonly Money[]
}

export interface AttentionEntry<Item extends AttentionItem = AttentionItem> {
  /** Of the container, shipment or request. */
  readonly id: string
  readonly group: ActionGroup
  /** The earliest last day of its reasons; null where none has a day. */
  readonly actBy: AttentionItem['actBy']
  readonly money: EntryMoney
  /** The most urgent first. */
  readonly items: readonly Item[]
}

/** Where a reason has no day of its own. */
const groupOfReason: Readonly<Record<AttentionReason, ActionGroup>> = {
  free_time_ended: 'overdue',
  held: 'today',
  will_cost: 'today',
  free_time_ends_soon: 'today',
  fees: 'today',
  tracking_failed: 'today',
  rolled: 'today',
  overdue: 'today',
  eta_moved: 'this_week',
  waiting_for_train: 'waiting',
  no_news: 'waiting',
}

/** In the order of the list: by group, then the most overdue, then the most costly, then the most urgent reason. */
export function listEntries<Item extends AttentionItem>(items: readonly Item[]): readonly AttentionEntry<Item>[] {
  const bySubject = Map.groupBy(items, ({ id }) => parseItemId(id)?.subjectId ?? '')
  return [...bySubject].map(([id, of]) => makeEntry(id, of)).toSorted(compareEntries)
}

function makeEntry<Item extends AttentionItem>(id: string, items: readonly Item[]): AttentionEntry<Item> {
  const groups = items.map(groupOf)
  const days = items.flatMap(({ actBy }) => actBy ?? [])
  const costs = items.flatMap((item) => item.costs ?? [])
  return {
    id,
    group: actionGroups.find((each) => groups.includes(each)) ?? 'today',
    actBy: days.toSorted((a, b) => a.daysLeft - b.daysLeft)[0] ?? null,
    money: {
      owed: sumByCurrency(costs.flatMap(({ owed }) => owed)),
      perDay: sumByCurrency(costs.flatMap(({ perDay }) => perDay)),
      fees: sumByCurrency(costs.flatMap(({ fees }) => sumFees(fees))),
    },
    items: items.toSorted((a, b) => compareRanks(rankOf(a), rankOf(b))),
  }
}

function groupOf({ reason, actBy }: AttentionItem): ActionGroup {
  if (actBy === null) return groupOfReason[reason]
  if (actBy.daysLeft < 0) return 'overdue'
  return actBy.daysLeft === 0 ? 'today' : actBy.daysLeft === 1 ? 'tomorrow' : 'this_week'
}

function compareEntries(a: AttentionEntry, b: AttentionEntry): number {
  return (
    actionGroups.indexOf(a.group) - actionGroups.indexOf(b.group) ||
    daysLeftOf(a) - daysLeftOf(b) ||
    costOf(b) - costOf(a) ||
    reasonOf(a) - reasonOf(b) ||
    (sinceOf(a) < sinceOf(b) ? -1 : sinceOf(a) > sinceOf(b) ? 1 : a.id < b.id ? -1 : 1)
  )
}

/** Only where the group follows from the day: other entries of today come after those whose day it is. */
function daysLeftOf({ actBy }: AttentionEntry): number {
  return actBy?.daysLeft ?? Number.MAX_SAFE_INTEGER
}

/**
 * Minor units of all currencies, because no rate of exchange is known. A hundredth of a dollar or euro is worth about as
 * much as a yen, so the sizes are alike.
 */
function costOf({ money: { owed, perDay, fees } }: AttentionEntry): number {
  return [...owed, ...perDay, ...fees].reduce((sum, { minor }) => sum + minor, 0)
}

function reasonOf({ items }: AttentionEntry): number {
  return attentionReasons.indexOf(items[0]?.reason ?? 'no_news')
}

function sinceOf({ items }: AttentionEntry): string {
  return items[0]?.since ?? ''
}
