/** The units of a message, by its type. */

import { containerUnits } from './container-units.ts'
import type { Message } from './messages.ts'
import { statusUnits } from './status-units.ts'
import type { Unit, UnitContext, UnitType } from './unit.ts'

/** Gives one unit after the other: together they may be many times as long as the message. */
export function readUnits(type: UnitType, message: Message, of: UnitContext): Iterable<Unit> {
  return type === 'IFTSTA' ? statusUnits(message, of) : containerUnits(message, of)
}
