/** The calendars on record as year grids; new versions by a form or a table, tried before they are recorded. */

import { useState } from 'react'
import type { Calendar } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { chargeWords } from '../words/charges.ts'
import { CalendarForm } from './calendar-form.tsx'
import './calendars.css'
import { TakeTable } from './table-import.tsx'
import { YearGrid } from './year-grid.tsx'

const words = chargeWords.calendarPage

type CalendarVersion = NonNullable<Calendar['attributes']['versions']>[number]

export function CalendarsPart() {
  const found = useRead('/v2/calendars')
  const [start, setStart] = useState<Calendar | null>(null)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  const all = found.data.data
  return (
    <>
      <p className="quiet">{words.about}</p>
      {all.length === 0 && <p>{words.none}</p>}
      {all.map((calendar) => (
        <OneCalendar key={calendar.id} calendar={calendar} onStart={() => setStart(calendar)} />
      ))}
      <Panel title={chargeWords.import.title}>
        <TakeTable kind="calendars" />
      </Panel>
      <Panel title={words.new}>
        <CalendarForm key={start?.id ?? ''} start={start} />
      </Panel>
    </>
  )
}

function OneCalendar({ calendar: { attributes }, onStart }: { calendar: Calendar; onStart: () => void }) {
  const { code = '', versions = [] } = attributes
  const [year, setYear] = useState(new Date().getFullYear())
  const [shown, setShown] = useState(0)
  const version = versions[shown] ?? versions[0]
  if (version === undefined) return null
  return (
    <Panel
      title={code}
      aside={
        <div className="buttons">
          <label className="field">
            <span className="unseen">{words.versions(versions.length)}</span>
            <select value={shown} onChange={(event) => setShown(Number(event.target.value))}>
              {versions.map((each, at) => (
                <option key={each.version} value={at}>
                  {`${each.version} · ${each.recorded_at.slice(0, 10)}`}
                </option>
              ))}
            </select>
          </label>
          <button type="button" aria-label={`${words.year} ${year - 1}`} onClick={() => setYear(year - 1)}>
            ‹
          </button>
          <span className="year-shown">{year}</span>
          <button type="button" aria-label={`${words.year} ${year + 1}`} onClick={() => setYear(year + 1)}>
            ›
          </button>
          <button type="button" onClick={onStart}>
            {words.change}
          </button>
        </div>
      }
    >
      <p className="quiet">
        {[version.zone ?? words.zoneOfPlace, version.source, gateHoursOf(version)].filter(Boolean).join(' · ')} ·{' '}
        <Moment at={version.recorded_at} zone="UTC" />
      </p>
      <YearGrid days={version} year={year} />
    </Panel>
  )
}

function gateHoursOf({ gate_hours: hours }: Pick<CalendarVersion, 'gate_hours'>): string | null {
  if (hours.length === 0) return null
  const days = hours.map(({ weekday, opens, closes }) => `${words.weekdays[weekday]} ${opens}–${closes}`)
  return `${words.gateHours}: ${days.join(', ')}`
}
