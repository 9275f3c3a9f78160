/** The last free days at the port of discharge: the line's, the terminal's, and the one that counts. None of a ramp. */

import type { Charger } from '../charges/terms.ts'
import { type EventTime, localMidnight } from '../values/time.ts'
import { lfdInstant } from '../view/free-time.ts'
import type { ContainerView } from '../view/projection.ts'
import { boolean, instantOrNull, objectSchema } from './attribute.ts'

/** Last free days by the account's own terms, of the slots of a tally; null where they give none. */
export type CalculatedFreeDays = readonly (readonly [slot: string, day: string | null])[]
type Giver = 'line' | 'terminal'

const deadline = objectSchema({
  original: { ...instantOrNull, description: 'As it was stated first. Null if that is not known.' },
  current: { ...instantOrNull, description: 'As it is stated now.' },
  calculated: { ...instantOrNull, description: "By the account's own terms of free time." },
  manual: { ...boolean, description: 'A person of the account stated `current`.' },
})
const selection = {
  enum: ['facility', 'line_calculated', null],
  description:
    'Null: the day that the line stated, or no day. `line_calculated` is of the contract, and does not occur: only stated days are selected.',
}

export const podDeadlines = {
  ...objectSchema({
    line: deadline,
    facility: deadline,
    unified: objectSchema({
      original_value: instantOrNull,
      original_selection: selection,
      current_value: instantOrNull,
      current_selection: selection,
    }),
  }),
  description:
    "Last free days at the port of discharge, as 00:00 local time there. `unified` is the line's, else the terminal's.",
}

export function podDeadlinesOf(
  container: ContainerView,
  calculated: CalculatedFreeDays,
): Readonly<Record<string, unknown>> {
  const { freeTime, firstFreeDays = {}, portOfDischarge, pickupTimeZone, saidBy } = container
  // Inland, the place of pick-up is another one than the port.
  const timeZone = portOfDischarge.place?.timeZone ?? pickupTimeZone
  const write = (time: EventTime | null = null): string | null => (time === null ? null : lfdInstant(time, timeZone))
  const writeCalculated = (of: Giver): string | null => {
    const day = earliestDayAtPort(calculated, of)
    return day === null ? null : localMidnight(day, timeZone)
  }
  const writeDeadline = (of: Giver): Readonly<Record<string, unknown>> => ({
    original: write(firstFreeDays[of]?.time),
    current: write(freeTime[of]),
    calculated: writeCalculated(of),
    manual: saidBy[`pickup_lfd_${of}`] === 'user',
  })
  const original = findFirstGiver(container)
  const current = freeTime.line !== null ? 'line' : 'terminal'
  return {
    line: writeDeadline('line'),
    facility: writeDeadline('terminal'),
    unified: {
      original_value: original === null ? null : write(firstFreeDays[original]?.time),
      original_selection: original === 'terminal' ? 'facility' : null,
      current_value: write(freeTime[current]),
      current_selection: current === 'terminal' && freeTime.terminal !== null ? 'facility' : null,
    },
  }
}

/** Whose day counted first: that of the one who wrote first. Null when nobody did, or when that is not known. */
function findFirstGiver({ freeTime, firstFreeDays = {} }: ContainerView): Giver | null {
  const { line, terminal } = firstFreeDays
  if ((freeTime.line !== null && line === undefined) || (freeTime.terminal !== null && terminal === undefined))
    return null
  if (line !== undefined && (terminal === undefined || line.writtenAt <= terminal.writtenAt)) return 'line'
  return terminal === undefined ? null : 'terminal'
}

/** The last free day at the port by the terms of one charger: the earliest, where terms of several kinds give one. */
function earliestDayAtPort(days: CalculatedFreeDays, chargedBy: Charger): string | null {
  const slots = ['demurrage', 'storage', 'combined'].map((kind) => `${chargedBy} ${kind} port`)
  const found = days.flatMap(([slot, day]) => (day !== null && slots.includes(slot) ? [day] : []))
  return found.toSorted()[0] ?? null
}
