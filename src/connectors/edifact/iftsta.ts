/**
 * Reads the statements of an IFTSTA: for each status the event, its time, its place and its containers, and the holds
 * that it sets and releases.
 */

import type { HoldStatement, Observation, ObservedPlace } from '../../domain/statements/observation.ts'
import type { EdifactMessageContext, ReadContext } from './context.ts'
import { containerOf, isContainer } from './documents.ts'
import { containerFacts, readLoad } from './equipment.ts'
import { pathTo } from './fields.ts'
import { readPlace } from './place.ts'
import { observeFact, type StatedFact } from './statements.ts'
import {
  findProfileMeaning,
  holdsOfReasons,
  type KnownMeaning,
  meaningOf,
  noteStatus,
  readStatus,
  type StatedStatus,
} from './status-codes.ts'
import { findPlace, type NamedContainer, readEvents } from './status-events.ts'
import type { StatusGroup } from './status-groups.ts'
import { segmentsIn } from './status-units.ts'
import type { StatusUnit } from './unit.ts'
import { readCalls } from './vessel-calls.ts'

export function readStatuses(unit: StatusUnit, of: EdifactMessageContext): readonly Observation[] {
  return unit.statuses.flatMap((group) => {
    const containers = containersOf(group, unit, of.context)
    if (containers === null) {
      of.tally.lost('bad_equipment')
      return []
    }
    const observations = [...readContainerFacts(group, of), ...readGroup(group, containers, of)]
    const known = new Set(observations.map(({ key }) => key))
    const numbers = containers.map((container) => container?.number ?? null)
    return [...observations, ...readCalls(group, numbers, of).filter(({ key }) => !known.has(key))]
  })
}

/**
 * A `null` in the list means the whole consignment. The result is null where containers are named but none has a valid
 * number.
 */
function containersOf(
  group: StatusGroup,
  { named }: StatusUnit,
  { issues }: ReadContext,
): readonly (NamedContainer | null)[] | null {
  const statusContainers = segmentsIn(group).filter(isContainer)
  const namingSegments = statusContainers.length === 0 ? named : statusContainers
  const containers = new Map<string, NamedContainer>()
  for (const segment of namingSegments) {
    const number = containerOf(segment, issues)
    const load = segment.tag === 'EQD' ? readLoad(segment) : null
    if (number !== null) containers.set(number, { number, load: load ?? containers.get(number)?.load ?? null })
  }
  if (namingSegments.length > 0 && namingSegments[0] !== undefined && containers.size === 0) {
    const at = { path: pathTo(namingSegments[0], 1), lost: 'event' } as const
    issues.add(
      'bad_equipment',
      at,
      'the status names no valid container number and is not read: it would count for all containers',
    )
    return null
  }
  return namingSegments.length === 0 ? [null] : [...containers.values()]
}

function readContainerFacts(group: StatusGroup, { by, context }: EdifactMessageContext): readonly Observation[] {
  return group.containers.flatMap((container) => {
    const [equipment] = container
    const number = equipment === undefined ? null : containerOf(equipment)
    if (equipment === undefined || number === null || !isContainer(equipment)) return []
    return containerFacts(container, { number, load: readLoad(equipment) }, context).map((fact) =>
      observeFact(fact, by),
    )
  })
}

function readGroup(
  group: StatusGroup,
  containers: readonly (NamedContainer | null)[],
  of: EdifactMessageContext,
): readonly Observation[] {
  const { context, by, tally } = of
  const [segment] = group.ownSegments
  if (segment === undefined) return []
  const status = readStatus(segment)
  const meaning = meaningOf(status, of.version, context)
  if (findProfileMeaning(status, context.profile) !== null)
    noteStatus(status, { path: pathTo(segment, 1), isMapped: true }, context)
  const details = { status, place: () => readPlace(findPlace(group, null), context) }
  const facts = [
    ...holdsOfReasons(status, of.version, context).map(holdFact),
    ...(meaning.kind === 'hold' ? [holdFact(holdOf(meaning, details))] : []),
    ...(meaning.kind === 'available' ? [{ fact: 'available', value: meaning.value } as const] : []),
  ]
  const observed = containers.flatMap((container) =>
    facts.map((fact) => observeFact({ ...fact, equipment: container?.number ?? null } as StatedFact, by)),
  )
  switch (meaning.kind) {
    case 'nothing':
      tally.ignored()
      return observed
    case 'hold':
    case 'available':
      tally.understood()
      return observed
    case 'booking_cancelled':
      tally.understood()
      return [...observed, observeFact({ fact: 'booking_cancelled', value: true, equipment: null }, by)]
    default:
      return [...observed, ...readEvents({ group, segment, status, meaning }, containers, of)]
  }
}

/** Holds with the same name are one hold. `other` holds are distinguished by their description. */
function holdFact(value: HoldStatement): Pick<StatedFact, 'fact' | 'part'> & { readonly value: HoldStatement } {
  const part = value.name === 'other' ? `other:${value.description ?? ''}` : value.name
  return { fact: 'hold', value, part }
}

/** The US department of agriculture has no authority in other countries. */
function holdOf(
  meaning: KnownMeaning & { readonly kind: 'hold' },
  { status, place }: { readonly status: StatedStatus; readonly place: () => ObservedPlace },
): HoldStatement {
  const isElsewhere = meaning.needs === 'US' && place().unlocode?.startsWith('US') !== true
  const description = meaning.description ?? (status.text || null)
  return { name: isElsewhere ? 'other' : meaning.name, status: meaning.status, description }
}
