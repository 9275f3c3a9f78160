/** The days of a container as a bar. All bars have the same scale, two weeks back and two ahead, so they compare. */

import { countDays, nameDay } from '../../../src/domain/view/day-count.ts'
import { isoDayIn } from '../parts/time.ts'
import { chargeWords } from '../words/charges.ts'
import type { Clock } from './clock.ts'

const words = chargeWords.clocks
const daysEachWay = 14
const daysInAll = 2 * daysEachWay + 1

/** Where a day begins on the scale, in percent; within the bar. */
function placeOf(day: string, today: string, shiftDays = 0): number {
  const at = countDays(today, day) + shiftDays + daysEachWay
  return (Math.min(daysInAll, Math.max(0, at)) / daysInAll) * 100
}

export function ClockScale() {
  const { legend } = words
  return (
    <div className="clock-scale" aria-hidden="true">
      <span className="legend">
        <i className="free" /> {legend.free} <i className="over" /> {legend.over} <i className="over ahead" />{' '}
        {legend.ahead}
      </span>
      <span className="ticks">
        <span>−{daysEachWay}</span>
        <span>{legend.now}</span>
        <span>+{daysEachWay}</span>
      </span>
    </div>
  )
}

export function ClockBar({ clock: { today, lastFreeDay, startedOn, daysLeft } }: { clock: Clock }) {
  const now = placeOf(today, today)
  const nowEnd = placeOf(today, today, 1)
  if (lastFreeDay === null || daysLeft === null)
    return <div className="clock-bar unknown" role="img" aria-label={words.bar(null, null)} />
  const freeEnds = placeOf(lastFreeDay, today, 1)
  const freeStarts = startedOn === null ? 0 : Math.min(freeEnds, placeOf(startedOn, today))
  const isOver = daysLeft < 0
  return (
    <div
      className="clock-bar"
      role="img"
      aria-label={words.bar(nameDay(lastFreeDay, today), isOver ? nameDay(dayAfter(lastFreeDay), today) : null)}
    >
      <span
        className={startedOn === null ? 'free open' : 'free'}
        style={{ left: `${freeStarts}%`, width: `${freeEnds - freeStarts}%` }}
      />
      {isOver && <span className="over" style={{ left: `${freeEnds}%`, width: `${nowEnd - freeEnds}%` }} />}
      <span
        className="over ahead"
        style={{ left: `${Math.max(nowEnd, freeEnds)}%`, width: `${100 - Math.max(nowEnd, freeEnds)}%` }}
      />
      <span className="now" style={{ left: `${now}%`, width: `${nowEnd - now}%` }} />
    </div>
  )
}

function dayAfter(day: string): string {
  return isoDayIn(Date.parse(day) + 86_400_000, 'UTC')
}
