/** Which of the things said under the bill, about ships and not about boxes, hold for a given box. */

import type { Reading, SaidOf } from './reading.ts'
import { compareText, type Statement } from './statement.ts'

/** What is known of the ships that handle the boxes of a bill: per box, and of all together. */
export interface BoxShips {
  readonly byBox: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly ofAny: ReadonlySet<string>
}

export function readBoxShips(reading: Reading): BoxShips {
  const byBox = new Map([...reading.byBox].map(([number, said]) => [number, handlingVessels(said)]))
  return { byBox, ofAny: new Set([...byBox.values()].flatMap((vessels) => [...vessels.values()])) }
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
  const own = ships.byBox.get(number) ?? new Map<string, string>()
  const ownVessels = new Set(own.values())
  return words.filter((told) => {
    const isShips = told.code === 'ARRI' || told.code === 'DEPA'
    if (!isShips) return !told.isActual
    if (told.vesselKey === null) return true
    const handledBy = own.get(handlingKey(told.code === 'ARRI' ? 'DISC' : 'LOAD', told.placeKey))
    if (handledBy !== undefined) return handledBy === told.vesselKey
    return ownVessels.has(told.vesselKey) || !ships.ofAny.has(told.vesselKey)
  })
}

function handlingKey(code: 'LOAD' | 'DISC', placeKey: string): string {
  return `${code} ${placeKey}`
}

/** By place and kind of handling, the ship that the box was, or else is to be, loaded on or discharged from. */
function handlingVessels(said: SaidOf): ReadonlyMap<string, string> {
  const best = new Map<string, Statement>()
  for (const told of said.statements) {
    if ((told.code !== 'LOAD' && told.code !== 'DISC') || told.vesselKey === null) continue
    const key = handlingKey(told.code, told.placeKey)
    const other = best.get(key)
    if (other === undefined || isBetterKnown(told, other)) best.set(key, told)
  }
  return new Map([...best].map(([key, told]) => [key, told.vesselKey ?? '']))
}

function isBetterKnown(a: Statement, b: Statement): boolean {
  if (a.isActual !== b.isActual) return a.isActual
  return (a.saidAt - b.saidAt || compareText(a.claim.id, b.claim.id)) > 0
}
