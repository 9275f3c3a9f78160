/** The filters above a list. Each change is in the address at once. */

import { useEffect, useState } from 'react'
import { useRead } from '../api/queries.ts'
import { listWords } from '../words/lists.ts'
import type { ListState } from './list-state.ts'

const typingPauseMs = 300

interface TextProps {
  readonly state: ListState
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  /** What is typed, as the filter takes it. */
  readonly read?: (text: string) => string
}

export function TextFilter({ state, name, label, placeholder, read = (text) => text.trim() }: TextProps) {
  const given = state.values[name] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  useEffect(() => {
    if (read(text) === given) return
    const timer = setTimeout(() => state.change({ [name]: read(text) }), typingPauseMs)
    return () => clearTimeout(timer)
  })
  return (
    <label className="field">
      <span>{label}</span>
      <input type="search" value={text} placeholder={placeholder} onChange={(event) => setText(event.target.value)} />
    </label>
  )
}

interface ChoiceProps {
  readonly state: ListState
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [string, string])[]
  /** Words of the choice that does not filter; null when there is no such choice. */
  readonly any?: string | null
}

export function ChoiceFilter({ state, name, label, choices, any = listWords.any }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={state.values[name] ?? ''} onChange={(event) => state.change({ [name]: event.target.value })}>
        {any !== null && <option value="">{any}</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function DayFilter({ state, name, label }: { state: ListState; name: string; label: string }) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="date"
        value={state.values[name] ?? ''}
        onChange={(event) => state.change({ [name]: event.target.value })}
      />
    </label>
  )
}

export function LineFilter({ state }: { state: ListState }) {
  const lines = useRead('/v2/shipping_lines')
  const choices = (lines.data?.data ?? []).map(
    ({ attributes: { scac = '', name = scac } }) => [scac, `${name} · ${scac}`] as const,
  )
  return <ChoiceFilter state={state} name="scac" label={listWords.line} choices={choices} />
}
