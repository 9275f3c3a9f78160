/** The record of changes: who did what to what, with the values before and after. */

import { useState } from 'react'
import type { AuditEvent } from '../../../sdk/typescript/src/description.generated.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Table } from '../operate/table.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { To } from '../parts/to.tsx'
import { administrationWords } from '../words/administration.ts'
import { plain } from '../words/names.ts'
import { NeedsAdmin } from './needs-admin.tsx'

const words = administrationWords.record

export function RecordPart() {
  const [filters, setFilters] = useState({ action: '', who: '', from: '', to: '' })
  const found = useRows('/v2/audit_events', {
    'filter[action]': filters.action || null,
    'filter[actor_type]': filters.who || null,
    'filter[created_at][start]': filters.from || null,
    'filter[created_at][end]': filters.to === '' ? null : `${filters.to}T23:59:59.999Z`,
  })
  if (found.error !== null) return <NeedsAdmin error={found.error} again={found.again} />
  const choice = (name: 'action' | 'who', label: string, choices: Readonly<Record<string, string>>) => (
    <label className="field">
      <span>{label}</span>
      <select value={filters[name]} onChange={(event) => setFilters({ ...filters, [name]: event.target.value })}>
        {Object.entries(choices).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  const day = (name: 'from' | 'to', label: string) => (
    <label className="field">
      <span>{label}</span>
      <input
        type="date"
        value={filters[name]}
        onChange={(event) => setFilters({ ...filters, [name]: event.target.value })}
      />
    </label>
  )
  return (
    <Panel title={administrationWords.parts['record'] ?? ''}>
      <p className="quiet">{words.about}</p>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        {choice('action', words.action, words.actions)}
        {choice('who', words.who, words.whos)}
        {day('from', words.from)}
        {day('to', words.to)}
      </form>
      {found.isEmpty ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <Table label={administrationWords.parts['record'] ?? ''} columns={words.columns}>
          {found.rows.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </Table>
      )}
      <ReadMore list={found} />
    </Panel>
  )
}

function Row({ event: { attributes } }: { event: AuditEvent }) {
  const { action = '', actor, target, changes = [] } = attributes
  return (
    <tr>
      <td>
        <Moment at={attributes.created_at} zone="UTC" />
      </td>
      <td>
        {actor?.name ?? words.whos[actor?.type ?? ''] ?? ''}
        <span className="under">{words.whos[actor?.type ?? '']}</span>
      </td>
      <td>
        {plain(action.replace('.', ': '))}
        {target?.name && <span className="under">{target.name}</span>}
      </td>
      <td>
        {changes.length > 0 && (
          <details>
            <summary>{changes.map(({ attribute }) => plain(attribute)).join(', ')}</summary>
            <dl className="facts">
              {changes.map(({ attribute, before, after }) => (
                <div key={attribute}>
                  <dt>{plain(attribute)}</dt>
                  <dd>
                    {valueText(before)} <To /> {valueText(after)}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </td>
      <td>
        {attributes.ip}
        {attributes.user_agent && <span className="under agent">{attributes.user_agent}</span>}
      </td>
    </tr>
  )
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.empty
  return typeof value === 'string' ? value : JSON.stringify(value)
}
