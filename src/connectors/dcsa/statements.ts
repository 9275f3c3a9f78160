/** Turns events into observations: one for each container that an event names, each with a key of its own. */

import { naturalKeyOf } from '../../domain/statements/natural-key.ts'
import type { EventObservation } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { observationKeyOf } from '../source.ts'
import type { IssueList } from '../source-issue.ts'
import type { StatedEvent } from './event.ts'

/** A planned call without a time becomes a fact and not an event (`facts.ts`). */
type DatedEvent = StatedEvent & { readonly time: EventTime }

function isDated(event: StatedEvent): event is DatedEvent {
  return event.time !== null
}

export function writeEventObservations(events: readonly StatedEvent[], issues: IssueList): readonly EventObservation[] {
  const byId = new Map<string, DatedEvent[]>()
  const drafts: EventObservation[] = []
  for (const event of events.filter(isDated)) {
    if (event.id === null) drafts.push(...observeEvent(event, null))
    else byId.set(event.id, [...(byId.get(event.id) ?? []), event])
  }
  for (const [id, namesakes] of byId) drafts.push(...observeSharedId(id, namesakes, issues))
  return withUniqueKeys(drafts)
}

/**
 * Several events with one id. In 3.0 the latest statement replaces the others. Before 3.0 an id must not occur twice:
 * repetitions of the same event count once, and if the events differ, the id is not used as a key for any of them.
 */
function observeSharedId(id: string, namesakes: readonly DatedEvent[], issues: IssueList): readonly EventObservation[] {
  const [first, ...others] = namesakes
  if (first === undefined) return []
  if (others.length === 0) return observeEvent(first, id)
  const latestStatedAt = namesakes
    .map((event) => event.statedAt ?? '')
    .sort()
    .at(-1)
  const [newest, ...duplicates] = removeDuplicates(
    namesakes.filter((event) => (event.statedAt ?? '') === latestStatedAt),
  )
  if (newest === undefined) return []
  if (newest.isVersion3 && duplicates.length === 0) return observeEvent(newest, id)
  for (const event of others) {
    issues.add(
      'duplicate_event_id',
      { path: event.path, lost: 'nothing' },
      'another event of this answer has the same id',
    )
  }
  if (removeDuplicates(namesakes.map((event) => ({ ...event, statedAt: null }))).length === 1)
    return observeEvent(newest, id)
  return namesakes.flatMap((event) => observeEvent(event, null))
}

function observeEvent(event: DatedEvent, id: string | null): readonly EventObservation[] {
  // A shipment event is about the shipment, whichever containers it lists.
  const containers = event.type === 'SHIPMENT' || event.equipment.length === 0 ? [null] : event.equipment
  return containers.map((equipment) => {
    const statement = {
      kind: 'event',
      equipment,
      statedAt: event.statedAt,
      isRetracted: event.isRetracted,
      classifier: event.classifier,
      code: event.code,
      load: event.load,
      mode: event.mode,
      time: event.time,
      place: event.place,
      vessel: event.vessel,
      voyage: event.voyage,
      callId: event.callId,
      callSequence: event.callSequence,
      original: event.original,
    } as const
    // An equipment event has one container, so its id alone is the key. Keys of shipment events use the line's own
    // text, not the code: two of them may differ in nothing else.
    const key =
      id === null
        ? naturalKeyOf(event.type === 'SHIPMENT' ? { ...statement, code: null } : statement)
        : observationKeyOf(id, event.type === 'EQUIPMENT' && containers.length === 1 ? null : equipment)
    return { key, ...statement }
  })
}

/**
 * Makes the keys of statements with the same natural key unique. They are numbered in the order of stating and
 * happening, so that the first one has the same key when more statements arrive. Statements that differ only in the
 * time of stating are one statement.
 */
export function withUniqueKeys(drafts: readonly EventObservation[]): readonly EventObservation[] {
  const byKey = Map.groupBy(drafts, (draft) => draft.key)
  if (byKey.size === drafts.length) return drafts
  const used = new Set(byKey.keys())
  return [...byKey].flatMap(([key, sharing]) => {
    if (sharing.length === 1) return sharing
    const statements = new Map<string, EventObservation>()
    for (const draft of sharing) {
      const content = JSON.stringify({ ...draft, statedAt: null })
      const known = statements.get(content)
      if (known === undefined || (known.statedAt ?? '') < (draft.statedAt ?? '')) statements.set(content, draft)
    }
    let ordinal = 1
    return [...statements]
      .map(([content, draft]) => ({
        draft,
        order: `${draft.statedAt ?? ''} ${JSON.stringify(draft.time)} ${content}`,
      }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ draft }, index) => {
        if (index === 0) return draft
        do ordinal += 1
        while (used.has(`${key}~${ordinal}`))
        used.add(`${key}~${ordinal}`)
        return { ...draft, key: `${key}~${ordinal}` }
      })
  })
}

/** Removes events with equal content; their place in the answer does not count. */
function removeDuplicates(events: readonly DatedEvent[]): readonly DatedEvent[] {
  return [...new Map(events.map((event) => [JSON.stringify({ ...event, path: '' }), event])).values()]
}
