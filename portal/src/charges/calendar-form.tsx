/** A form for one version of a calendar, with the year as it is written. It is sent as a table, as terms are. */

import { type FormEvent, useState } from 'react'
import type { Calendar } from '../../../sdk/typescript/src/description.generated.ts'
import { chargeWords } from '../words/charges.ts'
import { writeCsv } from './csv.ts'
import { Rehearsal, type TableToTake } from './table-import.tsx'
import { weekdays, YearGrid } from './year-grid.tsx'

const words = chargeWords.calendarPage

interface Written {
  readonly weekend: readonly (typeof weekdays)[number][]
  readonly holidays: string
  readonly closures: string
  readonly unscheduled: string
}

export function CalendarForm({ start }: { start: Calendar | null }) {
  const given = start?.attributes.versions?.[0] ?? null
  const closuresOf = (kind: string): string => linesOf((given?.closures ?? []).filter((each) => each.kind === kind))
  const [written, setWritten] = useState<Written>({
    weekend: given?.weekend ?? ['sat', 'sun'],
    holidays: linesOf(given?.holidays ?? []),
    closures: closuresOf('scheduled'),
    unscheduled: closuresOf('unscheduled'),
  })
  const [table, setTable] = useState<TableToTake | null>(null)
  const write = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string): string => String(form.get(name) ?? '').trim()
    const code = text('code')
    const rows = [
      ...(text('zone') === '' ? [] : [['zone', '', text('zone')]]),
      ['weekend', '', written.weekend.join(' ')],
      ...rowsOf('holiday', written.holidays),
      ...rowsOf('closure', written.closures),
      ...rowsOf('unscheduled_closure', written.unscheduled),
      ...rowsOf('gate_hours', text('gate')),
      ...(text('source') === '' ? [] : [['source', '', text('source')]]),
    ].map((row) => [code, ...row])
    const csv = writeCsv(['code', 'entry', 'on', 'value'], rows)
    setTable({ name: code, key: Date.now(), bytes: new Blob([csv]) })
  }
  const lines = (name: 'holidays' | 'closures' | 'unscheduled') => (
    <label className="field">
      <span>{words[name]}</span>
      <textarea
        rows={5}
        spellCheck={false}
        value={written[name]}
        onChange={(event) => setWritten({ ...written, [name]: event.target.value })}
      />
    </label>
  )
  const gate = (given?.gate_hours ?? []).map(({ weekday, opens, closes }) => `${weekday} ${opens}-${closes}`)
  return (
    <div className="two-columns">
      <YearGrid days={daysOf(written)} year={new Date().getFullYear()} />
      <form className="stack" onSubmit={write}>
        <label className="field">
          <span>{chargeWords.termsPage.fields['code']}</span>
          <input name="code" required maxLength={64} defaultValue={start?.attributes.code ?? ''} />
        </label>
        <label className="field">
          <span>{words.zone}</span>
          <input name="zone" defaultValue={given?.zone ?? ''} placeholder="America/Los_Angeles" />
        </label>
        <fieldset className="weekend">
          <legend>{words.weekend}</legend>
          {weekdays.map((day) => (
            <label key={day} className="check">
              <input
                type="checkbox"
                checked={written.weekend.includes(day)}
                onChange={({ target }) =>
                  setWritten({
                    ...written,
                    weekend: weekdays.filter((each) =>
                      each === day ? target.checked : written.weekend.includes(each),
                    ),
                  })
                }
              />{' '}
              {words.weekdays[day]}
            </label>
          ))}
        </fieldset>
        {lines('holidays')}
        {lines('closures')}
        {lines('unscheduled')}
        <label className="field">
          <span>{words.gate}</span>
          <textarea name="gate" rows={3} spellCheck={false} defaultValue={gate.join('\n')} />
        </label>
        <label className="field">
          <span>{words.source}</span>
          <input name="source" maxLength={500} defaultValue={given?.source ?? ''} />
        </label>
        <button type="submit" className="primary">
          {chargeWords.termsPage.try}
        </button>
        {table !== null && <Rehearsal kind="calendars" table={table} onDone={() => setTable(null)} />}
      </form>
    </div>
  )
}

/** "2026-12-25 Christmas Day": the first word is the day, the rest is what it is. */
function rowsOf(entry: string, text: string): readonly (readonly string[])[] {
  return text.split('\n').flatMap((line) => {
    const [on = '', ...name] = line.trim().split(/\s+/)
    return on === '' ? [] : [[entry, on, name.join(' ')]]
  })
}

function linesOf(days: readonly { readonly on: string; readonly name: string }[]): string {
  return days.map(({ on, name }) => `${on} ${name}`).join('\n')
}

function daysOf({ weekend, holidays, closures, unscheduled }: Written) {
  const named = (text: string) => rowsOf('', text).map(([, on = '', name = '']) => ({ on, name }))
  return {
    weekend,
    holidays: named(holidays),
    closures: [
      ...named(closures).map((each) => ({ ...each, kind: 'scheduled' as const })),
      ...named(unscheduled).map((each) => ({ ...each, kind: 'unscheduled' as const })),
    ],
  }
}
