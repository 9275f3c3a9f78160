/** The inbox: what somebody must do today, and the rules by which people are told of it. */

import { useState } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Reading } from '../parts/reading.tsx'
import { attentionWords as words } from '../words/attention.ts'
import { AlertRules } from './alert-rules.tsx'
import { AttentionEntries, type AttentionMeta, UnknownCounts } from './attention-items.tsx'
import { EntryActions, nameOf } from './entry-actions.tsx'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function AttentionPage() {
  const [reason, setReason] = useState('')
  const [assigned, setAssigned] = useState('')
  const [state, setState] = useState('open')
  const { credentials } = useConnection()
  const members = useRead('/v2/members', { isOn: credentials.kind === 'session' }).data?.data ?? null
  const list = useRows(
    '/v2/attention_entries',
    {
      'filter[reason]': reason || null,
      'filter[assigned_to]': assigned || null,
      'filter[state]': state,
      time_zone: zone,
    },
    { isByNumber: true },
  )
  const meta = (list.meta ?? {}) as AttentionMeta
  const doneToday = meta.done_today ?? 0
  return (
    <div>
      <header className="page-head">
        <h1>{words.title}</h1>
        {list.total !== null && <p className="quiet">{words.sum(list.total)}</p>}
      </header>
      <div className="filters">
        <Choice label={words.state} value={state} onChange={setState} choices={Object.entries(words.states)} />
        <Choice
          label={words.reason}
          value={reason}
          onChange={setReason}
          choices={[['', words.all], ...Object.entries(words.reasons)]}
        />
        {members !== null && (
          <Choice
            label={words.assignedTo}
            value={assigned}
            onChange={setAssigned}
            choices={[['', words.anybody], ...members.map((each) => [each.id, nameOf(each)] as const)]}
          />
        )}
      </div>
      <section className="panel" aria-label={words.title}>
        {list.total === null && list.error === null && <Reading />}
        {list.isEmpty && <p className="quiet">{state === 'open' ? words.none : words.noneSo}</p>}
        <AttentionEntries
          entries={list.rows}
          meta={meta}
          actions={(entry) => <EntryActions entry={entry} members={members} />}
        />
        <ReadMore list={list} />
        {meta.is_cut === true && <p className="quiet">{words.cut}</p>}
        {doneToday > 0 && state === 'open' && (
          <p className="inbox-end">
            <button type="button" className="link" onClick={() => setState('done')}>
              {words.doneToday(doneToday)}
            </button>
          </p>
        )}
        <UnknownCounts meta={meta} />
      </section>
      {(list.total !== null || list.error !== null) && <AlertRules />}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
