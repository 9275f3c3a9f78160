/** Which of the things said under the bill, about ships and not about boxes, hold for a given box. */

import type { ObservedVessel } from './observation.ts'
import type { SaidOf, SortedClaims } from './reading.ts'
import { compareClaims, mayBeSameVessel, type Statement, vesselKeyOf } from './statement.ts'

/** What is known of the ships that handle the boxes of a bill: per box, and of all together. */
export interface BoxShips {
  readonly byBox: ReadonlyMap<string, HandlingShips>
  readonly ofAny: readonly ObservedVessel[]
}

/** By place and kind of handling: `DISC USLAX`. */
type HandlingShips = ReadonlyMap<string, ObservedVessel>

export function readBoxShips(reading: SortedClaims): BoxShips {
  const byBox = new Map([...reading.byBox].map(([number, said]) => [number, handlingShips(said)]))
  const all = [...byBox.values()].flatMap((handling) => [...handling.values()])
  const distinct = new Map(all.map((vessel) => [vesselKeyOf(vessel), vessel]))
  return { byBox, ofAny: [...distinct.values()] }
}

/**
 * A ship's call holds for every box of the bill, save one that is known to have been handled there by another ship,
 * and save a ship that only other boxes of the bill are on. What is planned for boxes unnamed holds for all; what
 * happened to a box unnamed holds only when there is but one.
 */
export function applicableShipWords(
  words: readonly Statement[],
  {
    number,
    ships,
    isOnlyBox,
  }: { readonly number: string; readonly ships: BoxShips; readonly isOnlyBox: boolean },
): readonly Statement[] {
  if (isOnlyBox || words.length === 0) return words
  const own: HandlingShips = ships.byBox.get(number) ?? new Map()
  return words.filter((told) => {
    const isShips = told.code === 'ARRI' || told.code === 'DEPA'
    if (!isShips) return !told.isActual
    const { vessel } = told.event
    if (told.vesselKey === null) return true
    const isIt = (ship: ObservedVessel) => mayBeSameVessel(ship, vessel)
    const handledBy = own.get(handlingKey(told.code === 'ARRI' ? 'DISC' : 'LOAD', told.placeKey))
    if (handledBy !== undefined) return isIt(handledBy)
    return [...own.values()].some(isIt) || !ships.ofAny.some(isIt)
  })
}

function handlingKey(code: 'LOAD' | 'DISC', placeKey: string): string {
  return `${code} ${placeKey}`
}

/** By place and kind of handling, the ship that the box was, or else is to be, loaded on or discharged from. */
function handlingShips(said: SaidOf): HandlingShips {
  const best = new Map<string, Statement>()
  for (const told of said.statements) {
    if ((told.code !== 'LOAD' && told.code !== 'DISC') || told.vesselKey === null) continue
    const key = handlingKey(told.code, told.placeKey)
    const other = best.get(key)
    if (other === undefined || isBetterKnown(told, other)) best.set(key, told)
  }
  return new Map(
    [...best].flatMap(([key, { event }]) => (event.vessel === null ? [] : [[key, event.vessel] as const])),
  )
}

function isBetterKnown(a: Statement, b: Statement): boolean {
  if (a.isActual !== b.isActual) return a.isActual
  return (a.saidAt - b.saidAt || compareClaims(a.claim, b.claim)) > 0
}
