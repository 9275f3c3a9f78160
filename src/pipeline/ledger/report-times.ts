/**
 * Records when terminals and railways last stated something about a container: for a message the time of writing,
 * otherwise the time of receipt or of the poll.
 */

import type { Claim } from '../../domain/statements/observation.ts'
import { laterOf } from '../../domain/values/time.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { findTerminalById } from '../../reference/terminals.ts'

type ReportedContainer = Pick<ContainerProjection, 'number' | 'trip' | 'heardAt'>
type ReportTimes = NonNullable<ContainerProjection['heardAt']>
type ReporterKind = keyof ReportTimes

/**
 * Keeps earlier times, also of statements that were replaced. Returns the same array when nobody has stated anything
 * since.
 */
export function recordReportTimes<Of extends ReportedContainer>(
  containers: readonly Of[],
  claims: readonly Claim[],
): readonly Of[] {
  const claimsByNumber = Map.groupBy(
    claims.filter(({ source }) => source.kind === 'terminal' || source.kind === 'rail'),
    ({ observation }) => observation.equipment,
  )
  if (claimsByNumber.size === 0) return containers
  const byNumber = Map.groupBy(containers, ({ number }) => number)
  let isNew = false
  const updated = containers.map((container) => {
    const trips = byNumber.get(container.number) ?? []
    // A statement is about the trip that is under way, or else the last one.
    if (trips.some(({ trip }) => trip > container.trip)) return container
    const before = trips.filter(({ trip }) => trip < container.trip).map(({ heardAt }) => heardAt)
    const at = (claimsByNumber.get(container.number) ?? []).reduce(
      (known, claim) => mergeReportTimes(known, claim, before),
      container.heardAt,
    )
    if (at === container.heardAt) return container
    isNew = true
    return { ...container, heardAt: at }
  })
  return isNew ? updated : containers
}

function mergeReportTimes(
  known: ReportTimes | undefined,
  { source, standsAt, observation }: Claim,
  before: readonly (ReportTimes | undefined)[],
): ReportTimes | undefined {
  const kind = source.kind as ReporterKind // other kinds were filtered out before
  const names = [source.code, ...findNamedTerminals(observation)].filter((name) => {
    const ofTrips = [known, ...before].flatMap((times) => times?.[kind]?.[name] ?? [])
    return !ofTrips.some((at) => laterOf(at, standsAt) === at)
  })
  if (names.length === 0) return known
  const at = Object.fromEntries(names.map((name) => [name, standsAt]))
  return { ...known, [kind]: { ...known?.[kind], ...at } }
}

/** An operator may send for several terminals. It names the one that has the container. */
function findNamedTerminals(observation: Claim['observation']): readonly string[] {
  if (observation.kind !== 'fact' || observation.fact !== 'pod_terminal') return []
  const { terminalId } = observation.value
  return terminalId === null ? [] : [terminalId]
}

/** The last time at which any source of that kind stated something; null when none has. */
export function findLastReportTime(kind: ReporterKind, { heardAt }: Pick<ReportedContainer, 'heardAt'>): string | null {
  const [first, ...others] = Object.values(heardAt?.[kind] ?? {})
  return first === undefined ? null : others.reduce(laterOf, first)
}

/**
 * The same for the terminal at the port of discharge, under any of its codes, whether it states that itself or its
 * operator does.
 */
export function findTerminalReportTime({
  heardAt,
  podTerminal,
}: Pick<ContainerProjection, 'heardAt' | 'podTerminal'>): string | null {
  if (podTerminal === null) return null
  const { terminalId, facilityCode } = podTerminal
  const known = terminalId === null ? null : findTerminalById(terminalId)
  const codes = [terminalId, facilityCode, known?.firmsCode, known?.smdgCode]
  const ownTimes = Object.entries(heardAt?.terminal ?? {}).filter(([code]) => codes.includes(code))
  return findLastReportTime('terminal', { heardAt: { terminal: Object.fromEntries(ownTimes) } })
}
