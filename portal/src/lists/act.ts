/** What somebody must do about a container, by when, and why: words for `act_by` of the API. */

import { countDays, describeDaysLeft, describeFreeTime, nameDay } from '../../../src/domain/view/day-count.ts'
import { todayIn } from '../parts/time.ts'
import { listWords } from '../words/lists.ts'
import { plain } from '../words/names.ts'
import type { Box } from './list-row.ts'

export type ActTone = 'late' | 'soon' | ''

export interface Act {
  readonly what: string
  readonly when: string
  readonly why: string
  readonly tone: ActTone
}

const soonDays = 2
/** As the API sorts them: a report is probably missing. */
const forgottenDays = 90
/** The API names the third day of the wait. */
const trainDays = 3
const { act } = listWords

/** `today`: the day at the place of pick-up. Null when nobody must act. */
export function describeAct(box: Pick<Box, 'act_by' | 'holds_at_pod_terminal'>, today: string): Act | null {
  const { act_by: by, holds_at_pod_terminal: holds = [] } = box
  if (!by) return null
  const days = countDays(today, by.on)
  if (by.reason === 'free_time') {
    const why = describeFreeTime(by.on, today)
    if (days < -forgottenDays)
      return { what: act.check, when: describeDaysLeft(days), why: act.unreported(why), tone: '' }
    return { what: act.pickUp, when: describeDaysLeft(days), why, tone: toneOf(days) }
  }
  if (by.reason === 'hold') {
    const names = holds.map(({ name }) => plain(name))
    const day = nameDay(by.on, today)
    return {
      what: act.hold(names),
      when: act.since(day.slice(day.indexOf(' ') + 1)),
      why: act.heldSince(names, day),
      tone: 'late',
    }
  }
  const when = act.waits(trainDays - days)
  return { what: act.train, when, why: act.trainBy(nameDay(by.on, today)), tone: days <= soonDays ? 'soon' : '' }
}

function toneOf(days: number): ActTone {
  return days < 0 ? 'late' : days <= soonDays ? 'soon' : ''
}

/** On the present day at the place of pick-up. */
export function actOf(box: Box): Act | null {
  return describeAct(box, todayIn(box.free_until?.timezone ?? box.final_destination_timezone ?? box.pod_timezone))
}
