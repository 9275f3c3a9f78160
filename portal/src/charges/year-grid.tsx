/** A year of a calendar: each day in the colour of what it is, and the days that have a name as a list below. */

import type { Calendar } from '../../../sdk/typescript/src/description.generated.ts'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import { todayIn } from '../parts/time.ts'
import { chargeWords } from '../words/charges.ts'

const words = chargeWords.calendarPage
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type DayKind = 'working' | 'weekend' | 'holiday' | 'closure' | 'unscheduled_closure'

export type CalendarDays = Pick<
  NonNullable<Calendar['attributes']['versions']>[number],
  'weekend' | 'holidays' | 'closures'
>
interface Day {
  readonly on: string
  readonly kind: DayKind
  readonly name: string | null
}

export function YearGrid({ days, year }: { days: CalendarDays; year: number }) {
  const months = Array.from({ length: 12 }, (_, month) => daysOfMonth(days, year, month))
  const named = months.flat().filter(({ name }) => name !== null)
  return (
    <div className="year">
      <ul className="year-legend" aria-hidden="true">
        {Object.entries(words.kinds).map(([kind, label]) => (
          <li key={kind}>
            <i className={kind} /> {label}
          </li>
        ))}
      </ul>
      <div className="months">
        {months.map((month, at) => (
          <Month key={month[0]?.on} days={month} name={monthName(year, at)} />
        ))}
      </div>
      <h3>
        {words.named}, {year}
      </h3>
      {named.length === 0 && <p className="quiet">{words.namedNone}</p>}
      <ul className="named-days">
        {named.map(({ on, kind, name }) => (
          <li key={on}>
            <i className={kind} aria-hidden="true" /> <strong>{nameDay(on, todayIn(null))}</strong> {name}{' '}
            <span className="quiet">{words.kinds[kind]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Month({ days, name }: { days: readonly Day[]; name: string }) {
  const [first] = days
  if (first === undefined) return null
  const lead = weekdayAt(first.on)
  return (
    <div className="month" role="img" aria-label={monthText(name, days)}>
      <p>{name}</p>
      <div className="month-days">
        {weekdays.map((each) => (
          <b key={each}>{words.weekdays[each]?.slice(0, 1)}</b>
        ))}
        {Array.from({ length: lead }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: empty places before the first day
          <span key={`lead ${at}`} />
        ))}
        {days.map(({ on, kind, name: title }) => (
          <span key={on} className={kind} title={title === null ? undefined : `${on}: ${title}`}>
            {Number(on.slice(8))}
          </span>
        ))}
      </div>
    </div>
  )
}

/** What a screen reader says of a month: how many working days it has. The named days are in the list below. */
function monthText(name: string, days: readonly Day[]): string {
  const working = days.filter(({ kind }) => kind === 'working').length
  return `${name}: ${working} ${words.kinds['working']}${working === 1 ? '' : 's'}`
}

function daysOfMonth(calendar: CalendarDays, year: number, month: number): readonly Day[] {
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Array.from({ length: count }, (_, at) =>
    dayOf(calendar, new Date(Date.UTC(year, month, at + 1)).toISOString().slice(0, 10)),
  )
}

/** A closure shows before a holiday, and both before the weekend. */
function dayOf({ closures, holidays, weekend }: CalendarDays, on: string): Day {
  const closure = closures.find((each) => each.on === on)
  if (closure !== undefined)
    return {
      on,
      kind: closure.kind.startsWith('unscheduled') ? 'unscheduled_closure' : 'closure',
      name: closure.name,
    }
  const holiday = holidays.find((each) => each.on === on)
  if (holiday !== undefined) return { on, kind: 'holiday', name: holiday.name }
  const isWeekend = weekend.some((each) => each === weekdays[weekdayAt(on)])
  return { on, kind: isWeekend ? 'weekend' : 'working', name: null }
}

/** 0: Monday. */
function weekdayAt(on: string): number {
  return (new Date(on).getUTCDay() + 6) % 7
}

function monthName(year: number, month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(year, month))
}
