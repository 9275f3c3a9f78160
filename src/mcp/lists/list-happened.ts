/** What happened on days at a place, such as which containers were discharged yesterday: the newest first. */

import type { TimeRange } from '../../db/listing/page.ts'
import type { EventName } from '../../domain/changes/event-table.ts'
import { moveWords } from '../../domain/changes/move-words.ts'
import { addDays, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { type WordableChange, wordChanges } from '../../modules/events/word-changes.ts'
import { listAccountMoves } from '../../modules/transport-events/list-moves.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError, normalizeText, readPlaces, readValues } from './filter-values.ts'

const prefix = 'container.transport.'
const moves = Object.keys(moveWords)
/** `discharged` is any that ends so; `picked_up` is what people read of `full_out`. */
const synonyms = Object.fromEntries(
  [...Map.groupBy(moves.flatMap(namesOf), ([word]) => word)].map(([word, of]) => [word, of.map(([, move]) => move)]),
)

function namesOf(move: string): readonly (readonly [word: string, move: string])[] {
  const [, ending = ''] = /^[a-z]+_(\w+)$/.exec(move) ?? []
  const [words = ''] = (moveWords[move] ?? '').split('@')
  const names = [`${prefix}${move}`, words, ...(ending.length > 3 ? [ending] : [])]
  return [...new Set(names.map(normalizeText))].map((word) => [word, move])
}

/** The same for names of events of the feed. */
export const eventSynonyms = Object.fromEntries(
  [...Object.entries(synonyms), ...moves.map((move) => [move, [move]] as const)].map(([word, of]) => [
    word,
    of.map((move) => `${prefix}${move}` as EventName),
  ]),
)

export interface HappenedInput {
  readonly events?: string
  readonly place?: string
  readonly day?: string
}

export async function listHappened(
  { service, context }: ToolContext,
  of: {
    readonly input: HappenedInput
    readonly entity: { readonly containerId: string | null; readonly shipmentId: string | null }
    readonly limit: number
    readonly now: string
  },
) {
  const { events, place, day } = of.input
  const wanted = events === undefined ? moves : readValues('events', events, { values: moves, synonyms })
  const places = place === undefined ? null : readPlaces('place', place)
  const on = day === undefined ? { start: null, end: null } : readDays(day, of.now)
  const { rows, pagePosition } = await listAccountMoves(service, context, {
    filter: {
      events: wanted.map((move) => `${prefix}${move}`),
      unlocodes: places?.map(({ unlocode }) => unlocode) ?? null,
      ...of.entity,
      happenedAt: on,
    },
    isDescending: true,
    limit: of.limit,
    cursor: null,
    withRetracted: false,
  })
  return {
    changes: await wordChanges(service, context, rows.map(toChange)),
    hasMore: pagePosition?.hasNext === true,
    understood: {
      events: events === undefined ? 'all moves' : wanted.join(', '),
      ...(places === null ? {} : { place: places.map(({ name, unlocode }) => `${name} (${unlocode})`).join(' or ') }),
      ...(day === undefined ? {} : { day: `${on.start ?? '…'} to ${on.end ?? '…'}, whole days at the place` }),
    },
  }
}

function toChange({ event, milestone, ...move }: Move): WordableChange {
  const { time, place, source, claimId } = milestone
  const timeZone = place.timeZone ?? null
  return {
    at: move.createdAt,
    event,
    shipmentId: move.shipmentId,
    containerId: move.containerId,
    trackingRequestId: null,
    attribute: event.slice(prefix.length),
    before: undefined,
    after: time.kind === 'day' ? time.on : instantOf(time, timeZone).at,
    source,
    claimId,
    timeZone,
    unlocode: place.unlocode ?? null,
  }
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** `2026-11-29`, `yesterday`, `>=monday`, `2026-11-20..2026-11-25`. */
function readDays(text: string, now: string): TimeRange {
  const [, from, to] = /^\s*(\S+?)\s*\.\.\s*(\S+)\s*$/.exec(text) ?? []
  if (from !== undefined && to !== undefined) return { start: readDay(from, now), end: readDay(to, now) }
  const [, sign = '=', written = ''] = /^\s*(>=|<=|=)?\s*(.*?)\s*$/.exec(text) ?? []
  const day = readDay(written, now)
  return { start: sign === '<=' ? null : day, end: sign === '>=' ? null : day }
}

function readDay(text: string, now: string): string {
  const today = now.slice(0, 10)
  const word = text.toLowerCase()
  const weekday = weekdays.indexOf(word)
  if (weekday >= 0) return addDays(today, -((new Date(today).getUTCDay() - weekday + 7) % 7))
  if (word === 'today' || word === 'yesterday') return addDays(today, word === 'today' ? 0 : -1)
  const time = parseEventTime(text)
  if (time?.kind === 'day') return time.on
  throw invalidFilterError(
    'day',
    'is a day such as 2026-01-31, yesterday or monday; `>=monday`, `2026-01-01..2026-01-31`',
  )
}
