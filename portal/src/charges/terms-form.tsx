/** A form for one version of terms. It is written as a table of one row, so that it is tried and checked as one. */

import { type FormEvent, type InputHTMLAttributes, useState } from 'react'
import type { ChargeTerms } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { chargeWords } from '../words/charges.ts'
import { moneyPlain } from './charges-document.ts'
import { writeCsv } from './csv.ts'
import { Rehearsal, type TableToTake } from './table-import.tsx'

const words = chargeWords.termsPage
export type TermsVersion = NonNullable<ChargeTerms['attributes']['versions']>[number]

const asked = Object.keys(words.fields)
/** Fields that the form does not ask for. They are taken over from the terms that the form begins with. */
const kept = [
  'equipment',
  'haulage',
  'destinations',
  'locked_by',
  'start_offset',
  'start_offset_unit',
  'start_on_working_day',
  'start_gate_cut_off',
  'stop_day_counts',
  'tiers_count',
  'stops_for',
  'stopped_day',
] as const

export function TermsForm({ start }: { start: ChargeTerms | null }) {
  const calendars = useRead('/v2/calendars')
  const [table, setTable] = useState<TableToTake | null>(null)
  const given = start?.attributes.versions?.[0] ?? null
  const cells: Readonly<Record<string, string>> =
    given === null ? {} : { code: start?.attributes.code ?? '', ...cellsOf(given) }
  const write = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const row = Object.fromEntries([
      ...asked.map((field) => [field, form.getAll(field).map(String).join(' ').trim()]),
      ...kept.flatMap((field) => (cells[field] ? [[field, cells[field]]] : [])),
    ]) as Readonly<Record<string, string>>
    const text = writeCsv(Object.keys(row), [Object.values(row)])
    setTable({ name: row['code'] ?? '', key: Date.now(), bytes: new Blob([text]) })
  }
  const text = (name: string, more: InputHTMLAttributes<HTMLInputElement> = {}) => (
    <label className="field">
      <span>{words.fields[name]}</span>
      <input name={name} defaultValue={cells[name] ?? ''} maxLength={500} {...more} />
    </label>
  )
  const choice = (name: string, choices: Readonly<Record<string, string>>) => (
    <label className="field">
      <span>{words.fields[name]}</span>
      <select name={name} defaultValue={cells[name]}>
        {Object.entries(choices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
  const codes = (calendars.data?.data ?? []).map(({ attributes: { code = '' } }) => [code, code] as const)
  const stops = (cells['stop'] ?? 'full_out').split(' ')
  return (
    <>
      <form className="terms-form" onSubmit={write}>
        {text('code', { required: true })}
        {choice('kind', chargeWords.kinds)}
        {choice('origin', chargeWords.origins)}
        {choice('charged_by', chargeWords.by)}
        {text('charger_code')}
        {text('ports')}
        {text('bills')}
        {text('free', { type: 'number', min: 0, required: true, defaultValue: cells['free'] ?? '5' })}
        {choice('free_unit', words.units)}
        {choice('charged_unit', {
          calendar_days: words.units['calendar_days'] ?? '',
          working_days: words.units['working_days'] ?? '',
        })}
        {choice('calendar', { '': '–', ...Object.fromEntries(codes) })}
        {text('currency', { required: true, defaultValue: cells['currency'] ?? 'USD', maxLength: 3 })}
        {text('tiers', { required: true, defaultValue: cells['tiers'] ?? '1-:?' })}
        {choice('start', words.events)}
        <fieldset>
          <legend>{words.fields['stop']}</legend>
          {Object.entries(words.events).map(([value, label]) => (
            <label key={value} className="check">
              <input type="checkbox" name="stop" value={value} defaultChecked={stops.includes(value)} /> {label}
            </label>
          ))}
        </fieldset>
        <label className="check">
          <input
            type="checkbox"
            name="start_first_full_day"
            value="yes"
            defaultChecked={cells['start_first_full_day'] === 'yes'}
          />{' '}
          {words.fields['start_first_full_day']}
        </label>
        {text('valid_from', { type: 'date' })}
        {text('valid_to', { type: 'date' })}
        {text('source')}
        <button type="submit" className="primary">
          {words.try}
        </button>
      </form>
      {table !== null && <Rehearsal kind="charge_terms" table={table} onDone={() => setTable(null)} />}
    </>
  )
}

/** A version as the cells of a table, in the notation of the import. */
export function cellsOf(terms: TermsVersion): Readonly<Record<string, string>> {
  const { tiers, currency } = terms
  const all: Readonly<Record<string, unknown>> = {
    ...terms,
    tiers: tiers.map(
      ({ from, to, rate_minor: minor }) =>
        `${from}-${to ?? ''}:${minor === null ? '?' : moneyPlain({ minor, currency })}`,
    ),
  }
  return Object.fromEntries([...asked, ...kept].flatMap((name) => (name in all ? [[name, cellOf(all[name])]] : [])))
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
