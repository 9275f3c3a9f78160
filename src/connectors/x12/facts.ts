/** The statements of a message besides events: numbers, places by role, the container, its days, holds and fees. */

import type { FactObservation } from '../../domain/statements/observation.ts'
import { documentFacts } from '../document-facts.ts'
import { quoteValue } from '../source-issue.ts'
import { writeContainerFacts } from './container-facts.ts'
import type { ReadContext, ReadStatus } from './context.ts'
import { buildFact, statedAtOf } from './fact.ts'
import { writeFees } from './fees.ts'
import { writeHolds } from './holds.ts'
import { dayOf, readMoment } from './moment.ts'
import type { StatedPlace } from './place.ts'
import { readReferences } from './reference-values.ts'
import { elementOf } from './segments.ts'
import { findPodTerminal } from './terminal.ts'

/** One fact for each key: the last one in the message counts. */
export function writeFacts(statuses: readonly ReadStatus[], context: ReadContext): readonly FactObservation[] {
  const { issues, stated } = context
  const { container } = stated.numbers
  const facts = [...documentFacts(stated.numbers, null), ...placeFacts(context)]
  if (container !== null) {
    const values = readReferences(context)
    facts.push(
      ...writeContainerFacts(context, container),
      ...railFacts(context, container),
      ...values.facts.map(({ fact, value }) => buildFact(fact, value, { container })),
      ...statuses.flatMap((status) => statusFacts(status, context, container)),
      ...writeHolds(statuses, values, { ...context, container }),
      ...writeFees(values, { ...context, container }),
    )
  } else
    for (const { path, effects } of statuses)
      if (effects?.some(({ kind }) => factsOfContainer.has(kind)))
        issues.add('missing_field', { path, lost: 'event' }, 'the statement has no container number that can be read')
  return [...new Map(facts.map((fact) => [fact.key, fact])).values()]
}

const factsOfContainer: ReadonlySet<string> = new Set([
  'hold',
  'release',
  'not_available',
  'last_free_day',
  'appointment',
])

/**
 * The roles that name each place. The first role that the message has counts: the final port (`1`) before the next port
 * (`D`), the end of the train (`7`) last.
 */
const placeRoles = [
  ['port_of_loading', ['L']],
  ['port_of_discharge', ['1', 'D']],
  ['place_of_delivery', ['E', '7']],
] as const

function placeFacts(context: ReadContext): FactObservation[] {
  const { places, numbers } = context.stated
  if (numbers.container === null && numbers.isContainerNamed) return []
  const container = numbers.container
  const named = placeRoles.flatMap(([fact, roles]) => {
    const stated = findRole(places, roles)
    // A port without a code has its name only (R4-04).
    const isNamed = stated !== null && (stated.place.unlocode ?? elementOf(stated.segment, 4)) !== ''
    return isNamed ? [buildFact(fact, stated.place, { container })] : []
  })
  const terminal = findPodTerminal(context, findRole(places, ['1', 'D']))
  return terminal === null ? named : [...named, buildFact('pod_terminal', terminal, { container })]
}

function findRole(places: readonly StatedPlace[], roles: readonly string[]): StatedPlace | null {
  return roles.flatMap((role) => places.filter((place) => place.role === role))[0] ?? null
}

/**
 * 322: the railway that reports the container at the first ramp (`6`) took it from the port. The railway that reports
 * it at the last ramp (`7`) brings it to its destination. Nothing is known about the ramps between them. 315: the
 * railway is the one from the port.
 */
function railFacts({ stated, issues }: ReadContext, container: string): FactObservation[] {
  const named = listNamedRailways(stated)
  return named.flatMap(({ value, path, isOf315 }) => {
    const scac = value.toUpperCase()
    const [isFirst, isLast] = [isOf315 || isActivityAt('6'), !isOf315 && isActivityAt('7')]
    if (!/^[A-Z]{2,4}$/.test(scac)) {
      const at = { path, lost: 'field' } as const
      if (scac !== '') issues.addOnce('unknown_code', at, `${quoteValue(value)} is not the code (SCAC) of a railway`)
      return []
    }
    return [
      ...(isFirst ? [buildFact('pod_rail_carrier', scac, { container })] : []),
      ...(isLast ? [buildFact('destination_rail_carrier', scac, { container })] : []),
    ]
  })

  function isActivityAt(role: string): boolean {
    const { code } = stated.activity
    return code !== '' && stated.places.some((place) => place.role === role && place.code === code)
  }
}

interface NamedRailway {
  readonly value: string
  readonly path: string
  readonly isOf315: boolean
}

/** Railways named by reference (N9*RR) or as a party (N1*RR). */
export function listNamedRailways({ type, references, segments }: ReadContext['stated']): readonly NamedRailway[] {
  return [
    ...references
      .filter(({ qualifier }) => qualifier === 'RR')
      .map(({ value, path }) => ({ value, path, isOf315: type === '315' })),
    ...segments
      .filter(({ tag, elements }) => tag === 'N1' && elements[1] === 'RR')
      .map(({ elements, number }) => ({ value: elements[4] ?? '', path: `/${number}/4`, isOf315: false })),
  ]
}

/** Facts of the container that a status states. For a day or an appointment, the time of the status is the value. */
function statusFacts(status: ReadStatus, context: ReadContext, container: string): readonly FactObservation[] {
  return (status.effects ?? []).flatMap((effect): readonly FactObservation[] => {
    switch (effect.kind) {
      case 'available':
      case 'not_available': {
        const statedAt = statedAtOf(status, context)
        return [buildFact('available', effect.kind === 'available', { container, statedAt })]
      }
      case 'last_free_day': {
        const time = readMoment(status.moment, context)
        return time === null ? [] : [buildFact(lastFreeDayOf(context), dayOf(time), { container })]
      }
      case 'appointment': {
        const time = readMoment(status.moment, context)
        return time === null ? [] : [buildFact('pickup_appointment', time, { container })]
      }
      default:
        return []
    }
  })
}

/** The owner of the free time that ends: a train's message (322) is about the railway's free time, whoever sends it. */
function lastFreeDayOf({
  stated,
  speaker,
}: ReadContext): 'pickup_lfd_rail' | 'pickup_lfd_terminal' | 'pickup_lfd_line' {
  if (stated.type === '322' || speaker === 'rail') return 'pickup_lfd_rail'
  return speaker === 'terminal' ? 'pickup_lfd_terminal' : 'pickup_lfd_line'
}
