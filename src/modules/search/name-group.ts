/** The name of a value by which rows are counted, for people: of a line, a place, a ship or a terminal. */

import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { findVesselByImo } from '../../reference/vessels.ts'
import type { CountedList } from './count-rows-by.ts'

/** Null for a value that has no name, or whose name is not known. */
export function nameGroup(by: CountedList['by'], value: string): string | null {
  switch (by) {
    case 'line':
      return findShippingLine(value)?.shortName ?? null
    case 'pol':
    case 'pod':
      return findPlaceByCode(value)?.name ?? null
    case 'vessel':
      return findVesselByImo(value)?.name ?? null
    case 'terminal':
      return findTerminalById(value)?.name ?? null
    default:
      return null
  }
}
