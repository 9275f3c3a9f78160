/**
 * Past and future events of a container, from fields of their own or from codes. A code without a meaning is stored as
 * it is.
 */

import type { EventObservation, FactObservation } from '../../domain/statements/observation.ts'
import { setOnlyRamp } from '../at-ramp.ts'
import { naturalKey } from '../natural-key.ts'
import { quoteValue } from '../source-issue.ts'
import { type Effect, parseEffects } from '../x12/effects.ts'
import {
  type ContainerContext,
  factOf,
  type JsonNode,
  meaningOf,
  meetsCondition,
  recordCode,
  textAt,
} from './container-context.ts'
import { railwayOf, readPlace } from './places.ts'
import { findPointerMatches } from './pointer.ts'
import type { EventField } from './profile.ts'
import { readTime, type TimeReading } from './times.ts'

export type EventFieldObservation = EventObservation | FactObservation

/** Equal events are read once. */
export function readEvents(context: ContainerContext, node: JsonNode): readonly EventFieldObservation[] {
  const { events = [] } = context.profile
  const observations = events.flatMap((field) =>
    (field.list === undefined ? [node] : findPointerMatches(node.value, field.list, node.path)).flatMap((element) =>
      field.when === undefined || meetsCondition(context, field.when, element)
        ? readEventField(context, field, element)
        : [],
    ),
  )
  return [...new Map(observations.map((each) => [each.key, each])).values()]
}

function readEventField(
  context: ContainerContext,
  field: EventField,
  node: JsonNode,
): readonly EventFieldObservation[] {
  const { issues } = context
  if ('says' in field) {
    const time = readTime(context, field.time, node, 'event')
    return time === null
      ? []
      : observeEffects(context, field, { effects: parseEffects(field.says) ?? [], time, rawCode: null, node })
  }
  const code = textAt(context, field.code, node)
  if (code === null) return []
  const time = readTime(context, field.time, node, 'event')
  if (time === null) {
    issues.add('missing_field', { path: code.path, lost: 'event' }, `${quoteValue(code.text)} has no time`)
    return []
  }
  const meaning = meaningOf(field.codes, code.text)
  const at = `/events/${context.profile.events?.indexOf(field)}/codes`
  recordCode(context, code, { field: at, isMapped: meaning !== undefined })
  if (meaning === undefined)
    issues.add(
      'unmapped_code',
      { path: code.path, lost: 'nothing' },
      `${quoteValue(code.text)} is a code that is not mapped`,
    )
  const effects: readonly Effect[] = meaning === undefined ? [{ kind: 'note' }] : (parseEffects(meaning) ?? [])
  return observeEffects(context, field, { effects, time, rawCode: code.text, node })
}

interface EventReading {
  readonly effects: readonly Effect[]
  readonly time: TimeReading
  /** The facility's own code, where the event comes from a code. */
  readonly rawCode: string | null
  readonly node: JsonNode
}

function observeEffects(
  context: ContainerContext,
  field: EventField,
  { effects, time, rawCode, node }: EventReading,
): readonly EventFieldObservation[] {
  const place = field.place === undefined ? context.place : readPlace(context, field.place, node)
  return effects.flatMap((effect): readonly EventFieldObservation[] => {
    switch (effect.kind) {
      case 'available':
      case 'not_available':
        return [factOf('available', effect.kind === 'available', context)]
      case 'hold':
      case 'release': {
        if (effect.name === 'terminal_charges') return []
        const status = effect.kind === 'hold' ? 'hold' : 'released'
        return [factOf('hold', { name: effect.name, status, description: rawCode }, context, effect.name)]
      }
      case 'event': {
        const { code, load, mode } = effect
        return [
          eventOf(
            context,
            {
              ...time,
              place: setOnlyRamp(place, { code, railway: railwayOf(context) }),
              classifier: field.classifier ?? 'ACT',
            },
            { code, load, mode, original: rawCode },
          ),
        ]
      }
      default:
        return [
          eventOf(
            context,
            { ...time, place, classifier: field.classifier ?? 'ACT' },
            { code: null, load: null, mode: null, original: rawCode },
          ),
        ]
    }
  })
}

function eventOf(
  { containerNumber }: ContainerContext,
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
    equipment: containerNumber,
    statedAt: null,
    isRetracted: false,
  } as const
  return { ...unkeyed, key: naturalKey(unkeyed, null) }
}
