/**
 * Records when terminals and railways last stated something about a box: for a message the time of writing, otherwise
 * the time of receipt or of the question.
 */

import type { ContainerProjection } from '../../core/shown/projection.ts'
import type { Claim } from '../../core/statements/observation.ts'
import { laterOf } from '../../core/values/time.ts'
import { findTerminalById } from '../../reference/terminals.ts'

type Box = Pick<ContainerProjection, 'number' | 'trip' | 'heardAt'>
type HeardAt = NonNullable<ContainerProjection['heardAt']>
type Speaker = keyof HeardAt

/**
 * Keeps earlier times, also of statements that were replaced. Returns the same array when nobody has stated anything
 * since.
 */
export function noteHeard<Of extends Box>(boxes: readonly Of[], claims: readonly Claim[]): readonly Of[] {
  const said = Map.groupBy(
    claims.filter(({ source }) => source.kind === 'terminal' || source.kind === 'rail'),
    ({ observation }) => observation.equipment,
  )
  if (said.size === 0) return boxes
  const byNumber = Map.groupBy(boxes, ({ number }) => number)
  let isNew = false
  const heard = boxes.map((box) => {
    const trips = byNumber.get(box.number) ?? []
    // A statement is about the trip that is under way, or else the last one.
    if (trips.some(({ trip }) => trip > box.trip)) return box
    const before = trips.filter(({ trip }) => trip < box.trip).map(({ heardAt }) => heardAt)
    const at = (said.get(box.number) ?? []).reduce((known, claim) => later(known, claim, before), box.heardAt)
    if (at === box.heardAt) return box
    isNew = true
    return { ...box, heardAt: at }
  })
  return isNew ? heard : boxes
}

function later(
  known: HeardAt | undefined,
  { source, standsAt, observation }: Claim,
  before: readonly (HeardAt | undefined)[],
): HeardAt | undefined {
  const kind = source.kind as Speaker // other kinds were filtered out before
  const names = [source.code, ...spokenFor(observation)].filter((name) => {
    const ofTrips = [known, ...before].flatMap((heard) => heard?.[kind]?.[name] ?? [])
    return !ofTrips.some((at) => laterOf(at, standsAt) === at)
  })
  if (names.length === 0) return known
  const at = Object.fromEntries(names.map((name) => [name, standsAt]))
  return { ...known, [kind]: { ...known?.[kind], ...at } }
}

/** An operator may send for several terminals. It names the one that has the box. */
function spokenFor(observation: Claim['observation']): readonly string[] {
  if (observation.kind !== 'fact' || observation.fact !== 'pod_terminal') return []
  const { terminalId } = observation.value
  return terminalId === null ? [] : [terminalId]
}

/** The last time at which any speaker of that kind stated something; null when none has. */
export function heardOf(kind: Speaker, { heardAt }: Pick<Box, 'heardAt'>): string | null {
  const [first, ...others] = Object.values(heardAt?.[kind] ?? {})
  return first === undefined ? null : others.reduce(laterOf, first)
}

/**
 * The same for the terminal at the port of discharge, under any of its codes, whether it speaks itself or its operator
 * does.
 */
export function heardOfPodTerminal({
  heardAt,
  podTerminal,
}: Pick<ContainerProjection, 'heardAt' | 'podTerminal'>): string | null {
  if (podTerminal === null) return null
  const { terminalId, facilityCode } = podTerminal
  const known = terminalId === null ? null : findTerminalById(terminalId)
  const codes = [terminalId, facilityCode, known?.firmsCode, known?.smdgCode]
  const own = Object.entries(heardAt?.terminal ?? {}).filter(([code]) => codes.includes(code))
  return heardOf('terminal', { heardAt: { terminal: Object.fromEntries(own) } })
}
