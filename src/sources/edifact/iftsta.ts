/**
 * Reads what an IFTSTA says: for each status what happened, when, where and to which boxes, and the holds that it sets
 * and releases.
 */

import type { HoldWord, Observation, ObservedPlace } from '../../core/statements/observation.ts'
import type { OfMessage, ReadContext } from './context.ts'
import { boxOf, isBox } from './documents.ts'
import { boxFacts, loadOf } from './equipment.ts'
import { pathTo } from './fields.ts'
import { readPlace } from './place.ts'
import { readCalls } from './ships-calls.ts'
import { observeFact, type SaidFact } from './statements.ts'
import {
  findConfirmed,
  holdsOfReasons,
  type KnownMeaning,
  meaningOf,
  noteStatus,
  readStatus,
  type SaidStatus,
} from './status-codes.ts'
import { findPlace, type NamedBox, readEvents } from './status-events.ts'
import type { StatusGroup } from './status-groups.ts'
import { segmentsIn } from './status-units.ts'
import type { StatusUnit } from './unit.ts'

export function readStatuses(unit: StatusUnit, of: OfMessage): readonly Observation[] {
  return unit.statuses.flatMap((group) => {
    const boxes = boxesOf(group, unit, of.context)
    if (boxes === null) {
      of.tally.lost('bad_equipment')
      return []
    }
    const said = [...readBoxFacts(group, of), ...readGroup(group, boxes, of)]
    const known = new Set(said.map(({ key }) => key))
    const numbers = boxes.map((box) => box?.number ?? null)
    return [...said, ...readCalls(group, numbers, of).filter(({ key }) => !known.has(key))]
  })
}

/**
 * A `null` in the list means the whole consignment. The result is null where boxes are named but none has a valid
 * number.
 */
function boxesOf(
  group: StatusGroup,
  { named }: StatusUnit,
  { issues }: ReadContext,
): readonly (NamedBox | null)[] | null {
  const own = segmentsIn(group).filter(isBox)
  const told = own.length === 0 ? named : own
  const boxes = new Map<string, NamedBox>()
  for (const segment of told) {
    const number = boxOf(segment)
    const load = segment.tag === 'EQD' ? loadOf(segment) : null
    if (number !== null) boxes.set(number, { number, load: load ?? boxes.get(number)?.load ?? null })
  }
  if (told.length > 0 && told[0] !== undefined && boxes.size === 0) {
    const at = { path: pathTo(told[0], 1), lost: 'event' } as const
    issues.add(
      'bad_equipment',
      at,
      'the status names no valid container number and is not read: it would count for all containers',
    )
    return null
  }
  return told.length === 0 ? [null] : [...boxes.values()]
}

function readBoxFacts(group: StatusGroup, { by, context }: OfMessage): readonly Observation[] {
  return group.boxes.flatMap((box) => {
    const [equipment] = box
    const number = equipment === undefined ? null : boxOf(equipment)
    if (equipment === undefined || number === null || !isBox(equipment)) return []
    return boxFacts(box, { number, load: loadOf(equipment) }, context).map((fact) => observeFact(fact, by))
  })
}

function readGroup(
  group: StatusGroup,
  boxes: readonly (NamedBox | null)[],
  of: OfMessage,
): readonly Observation[] {
  const { context, by, tally } = of
  const [segment] = group.own
  if (segment === undefined) return []
  const status = readStatus(segment)
  const meaning = meaningOf(status, of.version, context)
  if (findConfirmed(status, context.profile) !== null)
    noteStatus(status, { path: pathTo(segment, 1), isMapped: true }, context)
  const said = { status, place: () => readPlace(findPlace(group, null), context) }
  const facts = [
    ...holdsOfReasons(status, of.version, context).map(holdFact),
    ...(meaning.kind === 'hold' ? [holdFact(holdOf(meaning, said))] : []),
    ...(meaning.kind === 'available' ? [{ fact: 'available', value: meaning.value } as const] : []),
  ]
  const observed = boxes.flatMap((box) =>
    facts.map((fact) => observeFact({ ...fact, equipment: box?.number ?? null } as SaidFact, by)),
  )
  switch (meaning.kind) {
    case 'nothing':
      tally.setAside()
      return observed
    case 'hold':
    case 'available':
      tally.understood()
      return observed
    case 'booking_cancelled':
      tally.understood()
      return [...observed, observeFact({ fact: 'booking_cancelled', value: true, equipment: null }, by)]
    default:
      return [...observed, ...readEvents({ group, segment, status, meaning }, boxes, of)]
  }
}

/** Holds with the same name are one hold. `other` holds are distinguished by their description. */
function holdFact(value: HoldWord): Pick<SaidFact, 'fact' | 'part'> & { readonly value: HoldWord } {
  const part = value.name === 'other' ? `other:${value.description ?? ''}` : value.name
  return { fact: 'hold', value, part }
}

/** The US department of agriculture has no authority in other countries. */
function holdOf(
  meaning: KnownMeaning & { readonly kind: 'hold' },
  { status, place }: { readonly status: SaidStatus; readonly place: () => ObservedPlace },
): HoldWord {
  const isElsewhere = meaning.needs === 'US' && place().unlocode?.startsWith('US') !== true
  const description = meaning.description ?? (status.text || null)
  return { name: isElsewhere ? 'other' : meaning.name, status: meaning.status, description }
}
