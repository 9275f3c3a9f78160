/** The inbox as people work on it: one entry for each container, shipment or request, with all its reasons. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import {
  type ActionGroup,
  type AttentionEntry,
  actionGroups,
  listEntries as makeEntries,
} from '../../domain/charges/attention-entry.ts'
import { localDateIn, localMidnight } from '../../domain/values/time.ts'
import { type AttentionReason, attentionReasons } from '../../domain/view/attention-reasons.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type EntrySubject, listEntrySubjects } from './attention-entries-sql.ts'
import type { AttentionQuestion } from './attention-narrowing-sql.ts'
import { type AttentionMark, countDone } from './attention-snoozes-sql.ts'
import { findItems, hashBasis, joinMarks, type MarkedItem, readMarks } from './find-items.ts'
import { type AttentionList, buildAttentionQuestion, countUnknown, listedMax } from './list-attention.ts'

/** `set_aside` and `done`: so is each of its reasons. */
export const entryStates = ['open', 'set_aside', 'done'] as const
export type EntryState = (typeof entryStates)[number]

export interface EntryView extends AttentionEntry<MarkedItem>, EntrySubject {
  readonly state: EntryState
  /** When the first of its reasons is shown again; null unless all are set aside or done. */
  readonly snoozedUntil: string | null
  readonly assignedTo: string | null
  /** It changes when something new happens. */
  readonly version: string
}

type Entry = Omit<EntryView, keyof EntrySubject> & Pick<EntryView, 'id'>

export interface EntryFilter {
  readonly reasons: readonly AttentionReason[] | null
  readonly shipmentId: string | null
  readonly scac: string | null
  readonly assignedTo: string | null
  readonly state: EntryState | null
}

export interface EntryList {
  readonly page: Page<EntryView>
  /** More was found than is listed. */
  readonly isCut: boolean
  /** Entries that match the filters, by the day of action. */
  readonly counts: Readonly<Record<ActionGroup, number>>
  /** How many were marked as done since midnight. */
  readonly doneToday: number
  readonly unknown: AttentionList['unknown']
}

/** `timeZone`: whose midnight it is. */
export async function listEntries(
  service: Service,
  context: Context,
  { filter, page, timeZone }: { readonly filter: EntryFilter; readonly page: PageRequest; readonly timeZone: string },
): Promise<EntryList> {
  requireScope(context, 'read')
  const { all, isCut } = await findEntries(service, context, filter)
  const now = realNow(service)
  const since = localMidnight(localDateIn(now, timeZone), timeZone)
  const start = (page.number - 1) * page.size
  const [rows, doneToday, unknown] = await Promise.all([
    describeEntries(service, context, all.slice(start, start + page.size)),
    countDone(service.pool, { accountId: context.account.id, since }),
    countEntriesUnknown(service, context, filter),
  ])
  const counts = actionGroups.map((group) => [group, all.filter((each) => each.group === group).length])
  return { page: { rows, total: all.length }, isCut, counts: Object.fromEntries(counts), doneToday, unknown }
}

/** All that match, at most `listedMax`, in the order of the list. */
export async function findEntries(
  service: Service,
  context: Context,
  filter: EntryFilter,
): Promise<{ readonly all: readonly Entry[]; readonly isCut: boolean }> {
  const { reasons, assignedTo, state } = filter
  const question = questionOf(service, context, filter)
  const items = await findItems(service.pool, attentionReasons, question)
  const marks = await readMarks(service.pool, { ...question, items })
  const matching = joinEntries(items, marks).filter(
    (each) =>
      each.state === (state ?? 'open') &&
      (assignedTo === null || each.assignedTo === assignedTo) &&
      (reasons === null || each.items.some(({ reason }) => reasons.includes(reason))),
  )
  const counts = Map.groupBy(items, ({ reason }) => reason)
  const isCut = matching.length > listedMax || [...counts.values()].some((each) => each.length >= listedMax)
  return { all: matching.slice(0, listedMax), isCut }
}

/** Of how much nothing is known, by reason. */
export async function countEntriesUnknown(
  service: Service,
  context: Context,
  filter: EntryFilter,
): Promise<AttentionList['unknown']> {
  return countUnknown(service, filter.reasons ?? attentionReasons, questionOf(service, context, filter))
}

function questionOf(
  service: Service,
  context: Context,
  { scac, shipmentId }: Pick<EntryFilter, 'scac' | 'shipmentId'>,
): AttentionQuestion {
  const shipmentIds = shipmentId === null ? null : [shipmentId]
  return { ...buildAttentionQuestion(service, context), scac, shipmentIds, snoozed: 'all' }
}

export async function getEntry(service: Service, context: Context, of: { readonly id: string }): Promise<EntryView> {
  requireScope(context, 'read')
  const entry = await findEntry(service, context, of)
  if (entry === null) throw notFound('attention entry')
  return entry
}

/** Null when it needs nobody. */
export async function findEntry(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<EntryView | null> {
  const question: AttentionQuestion = { ...buildAttentionQuestion(service, context), subjectIds: [id], snoozed: 'all' }
  const items = await findItems(service.pool, attentionReasons, question)
  const marks = await readMarks(service.pool, { ...question, items })
  const [entry] = await describeEntries(service, context, joinEntries(items, marks))
  return entry ?? null
}

/** The same entry with these marks. */
export function markEntry<Of extends Entry>(entry: Of, marks: readonly AttentionMark[]): Of {
  const items = joinMarks(entry.items, marks)
  return { ...entry, items, ...stateOf(items), assignedTo: assigneeIn(marks, entry.id) }
}

function joinEntries(items: Parameters<typeof joinMarks>[0], marks: readonly AttentionMark[]): readonly Entry[] {
  const bySubject = Map.groupBy(marks, ({ subjectId }) => subjectId)
  return makeEntries(joinMarks(items, marks)).map((entry) => ({
    ...entry,
    ...stateOf(entry.items),
    assignedTo: assigneeIn(bySubject.get(entry.id) ?? [], entry.id),
    version: versionOf(entry.items),
  }))
}

function stateOf(items: readonly MarkedItem[]): Pick<Entry, 'state' | 'snoozedUntil'> {
  if (items.some(({ isDone, snoozedUntil }) => !isDone && snoozedUntil === null))
    return { state: 'open', snoozedUntil: null }
  const [first] = items.flatMap(({ snoozedUntil }) => snoozedUntil ?? []).toSorted()
  return { state: first === undefined ? 'done' : 'set_aside', snoozedUntil: first ?? null }
}

function assigneeIn(marks: readonly AttentionMark[], id: string): string | null {
  return marks.find(({ reason, subjectId }) => reason === 'any' && subjectId === id)?.assignedTo ?? null
}

function versionOf(items: readonly MarkedItem[]): string {
  return hashBasis({
    basis: items
      .map(({ id, basis }) => `${id} ${basis}`)
      .toSorted()
      .join('\n'),
  }).slice(0, 16)
}

async function describeEntries(
  service: Service,
  { account }: Context,
  entries: readonly Entry[],
): Promise<readonly EntryView[]> {
  const ids = entries.map(({ id }) => id)
  const subjects = await listEntrySubjects(service.pool, { accountId: account.id, ids })
  const byId = new Map(subjects.map((each) => [each.id, each]))
  // One that was deleted meanwhile is left out.
  return entries.flatMap((entry) => {
    const subject = byId.get(entry.id)
    return subject === undefined ? [] : [{ ...subject, ...entry }]
  })
}
