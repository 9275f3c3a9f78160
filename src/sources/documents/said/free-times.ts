/**
 * Until when a box may stay, or be away, without a charge. Only days that the document states are read: the length of a
 * free time depends on working days and tariffs.
 */

import { isSameJson } from '../../../core/values/json-value.ts'
import type { EventTime } from '../../../core/values/time.ts'
import { clocksOf } from '../../arrival-notice/free-times.ts'
import { boxNumberOf } from './boxes.ts'
import { eachBox, lose, type SaidContext, type Stated, statedFact, textOf } from './context.ts'
import type { Fields } from './fields.ts'
import { fieldNames, memberNames } from './names.ts'
import { timeOf } from './times.ts'
import type { SaidField } from './word.ts'

type Clock = 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'pickup_lfd_rail' | 'empty_return_by'

interface FreeTime {
  readonly clock: Clock
  readonly time: EventTime
  /** None: for all boxes of the document. */
  readonly boxes: readonly string[]
  readonly day: SaidField
}

const { freeTime: names } = memberNames

export function readFreeTimes(context: SaidContext): readonly Stated[] {
  const said = context.fields.list(fieldNames.freeTimes).flatMap((element) => freeTimesOf(element, context))
  const clocks = [...new Set(said.map(({ clock }) => clock))]
  return clocks.flatMap((clock) => {
    const times = said.filter((each) => each.clock === clock)
    return eachBox(context).flatMap((equipment) => {
      // A day for the box itself has priority over one for all boxes.
      const own = times.filter(({ boxes }) => equipment !== null && boxes.includes(equipment))
      const [first, ...others] = own.length > 0 ? own : times.filter(({ boxes }) => boxes.length === 0)
      if (first === undefined) return []
      if (others.every(({ time }) => isSameJson(time, first.time)))
        return [statedFact(context, { fact: clock, value: first.time, equipment }, [first.day])]
      lose(context, first.day, {
        kind: 'wrong_structure',
        detail: 'the same free time has two different last free days: neither is used',
      })
      return []
    })
  })
}

function freeTimesOf(element: Fields, context: SaidContext): readonly FreeTime[] {
  const day = element.find(names.lastDay)
  const time = timeOf(day, context)
  if (day === null || time === null) return []
  const named = element.list(names.boxes).map((each) => boxNumberOf(each.find(), context.issues))
  const boxes = named.filter((number) => number !== null)
  // A day for boxes whose numbers were all misread is the day of no box that is known.
  if (named.length > 0 && boxes.length === 0) return []
  const types = element.list(names.clocks).flatMap((each) => textOf(each.find())?.toUpperCase() ?? [])
  const clocks = clocksIn(types, textOf(element.find(names.speaker)))
  return clocks.map((clock) => ({ clock, time, boxes, day }))
}

/**
 * The document may say whose clock it is. A last free day of which it says no more is taken for that of the line, whose
 * paper it is.
 */
function clocksIn(types: readonly string[], speaker: string | null): readonly Clock[] {
  const isAway = types.length > 0 && types.every((type) => type === 'DET')
  if (isAway) return ['empty_return_by']
  if (speaker === 'terminal') return ['pickup_lfd_terminal']
  if (speaker === 'rail') return ['pickup_lfd_rail']
  return types.length === 0 ? ['pickup_lfd_line'] : clocksOf(types)
}
