/** Events as observations: one for each container that an event names, each under a key of its own. */

import { naturalKeyOf } from '../../core/natural-key.ts'
import type { EventObservation } from '../../core/observation.ts'
import type { EventTime } from '../../core/time.ts'
import { keyOf } from '../source.ts'
import type { IssueList } from '../source-issue.ts'
import type { StatedEvent } from './event.ts'

/** A call that is planned without its time is no event but a fact (`facts.ts`). */
type DatedEvent = StatedEvent & { readonly time: EventTime }

function isDated(event: StatedEvent): event is DatedEvent {
  return event.time !== null
}

export function writeEventObservations(
  events: readonly StatedEvent[],
  issues: IssueList,
): readonly EventObservation[] {
  const byId = new Map<string, DatedEvent[]>()
  const drafts: EventObservation[] = []
  for (const event of events.filter(isDated)) {
    if (event.id === null) drafts.push(...observe(event, null))
    else byId.set(event.id, [...(byId.get(event.id) ?? []), event])
  }
  for (const [id, namesakes] of byId) drafts.push(...observeNamesakes(id, namesakes, issues))
  return withUniqueKeys(drafts)
}

/**
 * Several events of one id. In 3.0 the latest statement replaces the others; before it an id must not come twice, so
 * the same thing said again counts once, and where it names different things it is no key for any of them.
 */
function observeNamesakes(
  id: string,
  namesakes: readonly DatedEvent[],
  issues: IssueList,
): readonly EventObservation[] {
  const [first, ...others] = namesakes
  if (first === undefined) return []
  if (others.length === 0) return observe(first, id)
  const latestStatedAt = namesakes
    .map((event) => event.statedAt ?? '')
    .sort()
    .at(-1)
  const [newest, ...rivals] = distinct(namesakes.filter((event) => (event.statedAt ?? '') === latestStatedAt))
  if (newest === undefined) return []
  if (newest.isVersion3 && rivals.length === 0) return observe(newest, id)
  for (const event of others) {
    issues.add(
      'duplicate_event_id',
      { path: event.path, lost: 'nothing' },
      'the id of another event of this answer',
    )
  }
  if (distinct(namesakes.map((event) => ({ ...event, statedAt: null }))).length === 1)
    return observe(newest, id)
  return namesakes.flatMap((event) => observe(event, null))
}

function observe(event: DatedEvent, id: string | null): readonly EventObservation[] {
  // A document's event is about the shipment, whichever containers it lists.
  const boxes = event.type === 'SHIPMENT' || event.equipment.length === 0 ? [null] : event.equipment
  return boxes.map((equipment) => {
    const said = {
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
    // An equipment event has one container: its id is key enough. Document events differ by their words only.
    const key =
      id === null
        ? naturalKeyOf(event.type === 'SHIPMENT' ? { ...said, code: null } : said)
        : keyOf(id, event.type === 'EQUIPMENT' && boxes.length === 1 ? null : equipment)
    return { key, ...said }
  })
}

/**
 * Statements that share a natural key are told apart by their order of stating and happening, so that the first
 * keeps its key when more come. What differs in nothing but the time of stating is one statement.
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
      if (known === undefined || (known.statedAt ?? '') < (draft.statedAt ?? ''))
        statements.set(content, draft)
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

/** By what they say; where they stand does not count. */
function distinct(events: readonly DatedEvent[]): readonly DatedEvent[] {
  return [...new Map(events.map((event) => [JSON.stringify({ ...event, path: '' }), event])).values()]
}
