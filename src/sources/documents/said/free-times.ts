/**
 * Until when a box may stay, or be away, without a charge. Only days that the document states are read: the length of a
 * free time depends on working days and tariffs.
 */

import type { EventTime } from '../../../core/values/time.ts'
import { boxNumberOf } from './boxes.ts'
import { eachBox, lose, type SaidContext, type Stated, statedFact, textOf } from './context.ts'
import type { Fields } from './fields.ts'
import { listNames } from './names.ts'
import { timeOf } from './times.ts'
import type { SaidField } from './word.ts'

type Clock = 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'pickup_lfd_rail' | 'empty_return_by'

interface FreeTime {
  readonly clock: Clock
  readonly time: EventTime
  /** Null: for all boxes of the document. */
  readonly box: string | null
  readonly fields: readonly (SaidField | null)[]
}

export function readFreeTimes(context: SaidContext): readonly Stated[] {
  const said = context.fields
    .list(listNames.freeTimes)
    .flatMap((element) => freeTimeOf(element, context) ?? [])
  const clocks = [...new Set(said.map(({ clock }) => clock))]
  return clocks.flatMap((clock) => {
    const times = said.filter((each) => each.clock === clock)
    return eachBox(context).flatMap((equipment) => {
      // A day for the box itself has priority over one for all boxes.
      const own = times.filter(({ box }) => box !== null && box === equipment)
      const [first, ...others] = own.length > 0 ? own : times.filter(({ box }) => box === null)
      const day = first?.fields[0] ?? null
      if (first === undefined || day === null) return []
      if (others.some(({ time }) => JSON.stringify(time) !== JSON.stringify(first.time))) {
        lose(context, day, {
          kind: 'wrong_structure',
          detail: 'the same free time has two different last free days: neither is used',
        })
        return []
      }
      return [statedFact(context, { fact: clock, value: first.time, equipment }, first.fields)]
    })
  })
}

function freeTimeOf(element: Fields, context: SaidContext): FreeTime | null {
  const { kind, lastDay, box } = listNames.freeTime
  const [day, kinds, named] = [element.find(lastDay), element.find(kind), element.find(box)]
  const time = timeOf(day, context)
  const number = boxNumberOf(named, context.issues)
  // A day for a box whose number was misread is the day of no box that is known.
  if (time === null || (named !== null && number === null)) return null
  const clock = clockOf(textOf(kinds))
  return clock === null ? null : { clock, time, box: number, fields: [day, kinds, named] }
}

/**
 * Demurrage is the line's clock, storage the terminal's, and detention runs until the empty box is back. A last free
 * day of which a paper says no more is that of its line, who wrote it.
 */
function clockOf(kind: string | null): Clock | null {
  if (kind === null) return 'pickup_lfd_line'
  if (/\b(rail|ramp)/i.test(kind)) return 'pickup_lfd_rail'
  if (/(storage|terminal)/i.test(kind)) return 'pickup_lfd_terminal'
  if (/(demurrage|line|combined|merged)/i.test(kind)) return 'pickup_lfd_line'
  if (/(detention|per.?diem|empty|equipment)/i.test(kind)) return 'empty_return_by'
  return null
}
