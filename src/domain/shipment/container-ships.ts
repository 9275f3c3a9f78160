/** Which statements made under the bill, about ships and not about containers, hold for a given container. */

import type { ObservedVessel } from '../statements/observation.ts'
import { compareClaims, mayBeSameVessel, type Statement, vesselKeyOf } from '../statements/statement.ts'
import type { SortedClaims, StatementGroup } from './read-claims.ts'

/**
 * What is known about the ships that handle the containers of a bill: for each container, and for all containers
 * together.
 */
export interface ContainerShips {
  readonly byContainer: ReadonlyMap<string, HandlingShips>
  readonly ofAny: readonly ObservedVessel[]
}

/** The ship by kind of handling and place: `DISC USLAX`. */
type HandlingShips = ReadonlyMap<string, ObservedVessel>

export function readContainerShips(reading: SortedClaims): ContainerShips {
  const byContainer = new Map([...reading.byContainer].map(([number, group]) => [number, handlingShips(group)]))
  const all = [...byContainer.values()].flatMap((handling) => [...handling.values()])
  const distinct = new Map(all.map((vessel) => [vesselKeyOf(vessel), vessel]))
  return { byContainer, ofAny: [...distinct.values()] }
}

/**
 * A ship's call holds for every container of the bill, with two exceptions: a container that another ship is known to
 * handle there, and a ship that is known to carry only other containers of the bill. A plan that names no container
 * holds for all containers. An actual that names no container holds only when the bill has one container.
 */
export function applicableShipStatements(
  statements: readonly Statement[],
  {
    number,
    ships,
    isOnlyContainer,
  }: { readonly number: string; readonly ships: ContainerShips; readonly isOnlyContainer: boolean },
): readonly Statement[] {
  if (isOnlyContainer || statements.length === 0) return statements
  const ownShips: HandlingShips = ships.byContainer.get(number) ?? new Map()
  return statements.filter((statement) => {
    const isShips = statement.code === 'ARRI' || statement.code === 'DEPA'
    if (!isShips) return !statement.isActual
    const { vessel } = statement.event
    if (statement.vesselKey === null) return true
    const isIt = (ship: ObservedVessel) => mayBeSameVessel(ship, vessel)
    const handledBy = ownShips.get(handlingKey(statement.code === 'ARRI' ? 'DISC' : 'LOAD', statement.placeKey))
    if (handledBy !== undefined) return isIt(handledBy)
    return [...ownShips.values()].some(isIt) || !ships.ofAny.some(isIt)
  })
}

function handlingKey(code: 'LOAD' | 'DISC', placeKey: string): string {
  return `${code} ${placeKey}`
}

/**
 * For each kind of handling and place, the ship that the container was, or else is to be, loaded on or discharged from.
 */
function handlingShips(group: StatementGroup): HandlingShips {
  const best = new Map<string, Statement>()
  for (const statement of group.statements) {
    if ((statement.code !== 'LOAD' && statement.code !== 'DISC') || statement.vesselKey === null) continue
    const key = handlingKey(statement.code, statement.placeKey)
    const other = best.get(key)
    if (other === undefined || isBetterKnown(statement, other)) best.set(key, statement)
  }
  return new Map([...best].flatMap(([key, { event }]) => (event.vessel === null ? [] : [[key, event.vessel] as const])))
}

function isBetterKnown(a: Statement, b: Statement): boolean {
  if (a.isActual !== b.isActual) return a.isActual
  return (a.statedAtMs - b.statedAtMs || compareClaims(a.claim, b.claim)) > 0
}
