/**
 * What happened or will happen to a box, from fields of their own or from codes. A code without a meaning is kept as it
 * is.
 */

import type { EventObservation, FactObservation } from '../../core/statements/observation.ts'
import { atOnlyRamp } from '../at-ramp.ts'
import { naturalKey } from '../natural-key.ts'
import { quoted } from '../source-issue.ts'
import { type Effect, parseEffects } from '../x12/effects.ts'
import { type BoxContext, factOf, holdsTrue, meaningOf, noteWord, type Part, textAt } from './box-context.ts'
import { railwayOf, readPlace } from './places.ts'
import { findAll } from './pointer.ts'
import type { EventField } from './profile.ts'
import { readTime, type SaidTime } from './times.ts'

export type SaidOfEvents = EventObservation | FactObservation

/** Equal events are taken once. */
export function readEvents(context: BoxContext, part: Part): readonly SaidOfEvents[] {
  const { events = [] } = context.profile
  const said = events.flatMap((field) =>
    (field.list === undefined ? [part] : findAll(part.value, field.list, part.path)).flatMap((element) =>
      field.when === undefined || holdsTrue(context, field.when, element)
        ? readOne(context, field, element)
        : [],
    ),
  )
  return [...new Map(said.map((each) => [each.key, each])).values()]
}

function readOne(context: BoxContext, field: EventField, part: Part): readonly SaidOfEvents[] {
  const { issues } = context
  if ('says' in field) {
    const time = readTime(context, field.time, part, 'event')
    return time === null
      ? []
      : write(context, field, { effects: parseEffects(field.says) ?? [], time, word: null, part })
  }
  const code = textAt(context, field.code, part)
  if (code === null) return []
  const time = readTime(context, field.time, part, 'event')
  if (time === null) {
    issues.add('missing_field', { path: code.path, lost: 'event' }, `${quoted(code.text)} has no time`)
    return []
  }
  const meaning = meaningOf(field.codes, code.text)
  const at = `/events/${context.profile.events?.indexOf(field)}/codes`
  noteWord(context, code, { field: at, isMapped: meaning !== undefined })
  if (meaning === undefined)
    issues.add(
      'unmapped_code',
      { path: code.path, lost: 'nothing' },
      `${quoted(code.text)} is a code that is not mapped`,
    )
  const effects: readonly Effect[] =
    meaning === undefined ? [{ kind: 'note' }] : (parseEffects(meaning) ?? [])
  return write(context, field, { effects, time, word: code.text, part })
}

interface Said {
  readonly effects: readonly Effect[]
  readonly time: SaidTime
  /** The facility's own code, where the event comes from a code. */
  readonly word: string | null
  readonly part: Part
}

function write(
  context: BoxContext,
  field: EventField,
  { effects, time, word, part }: Said,
): readonly SaidOfEvents[] {
  const place = field.place === undefined ? context.place : readPlace(context, field.place, part)
  return effects.flatMap((effect): readonly SaidOfEvents[] => {
    switch (effect.kind) {
      case 'available':
      case 'not_available':
        return [factOf('available', effect.kind === 'available', context)]
      case 'hold':
      case 'release': {
        if (effect.name === 'terminal_charges') return []
        const status = effect.kind === 'hold' ? 'hold' : 'released'
        return [factOf('hold', { name: effect.name, status, description: word }, context, effect.name)]
      }
      case 'event': {
        const { code, load, mode } = effect
        return [
          eventOf(
            context,
            {
              ...time,
              place: atOnlyRamp(place, { code, railway: railwayOf(context) }),
              classifier: field.classifier ?? 'ACT',
            },
            { code, load, mode, original: word },
          ),
        ]
      }
      default:
        return [
          eventOf(
            context,
            { ...time, place, classifier: field.classifier ?? 'ACT' },
            { code: null, load: null, mode: null, original: word },
          ),
        ]
    }
  })
}

function eventOf(
  { box }: BoxContext,
  { time, place, classifier }: Pick<EventObservation, 'time' | 'place' | 'classifier'>,
  what: Pick<EventObservation, 'code' | 'load' | 'mode' | 'original'>,
): EventObservation {
  const unkeyed = {
    kind: 'event',
    classifier,
    ...what,
    time,
    place,
    vessel: null,
    voyage: null,
    callId: null,
    callSequence: null,
    equipment: box,
    statedAt: null,
    isRetracted: false,
  } as const
  return { ...unkeyed, key: naturalKey(unkeyed, null) }
}
