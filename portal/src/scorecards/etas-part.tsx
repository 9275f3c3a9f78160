/** The scorecard of estimates: curves of the error by days ahead, the figures, and the estimates of each figure. */

import { useState } from 'react'
import type { EtaScore } from '../../../sdk/typescript/src/description.generated.ts'
import { totalOf, useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Panel } from '../parts/panel.tsx'
import { scorecardWords as words } from '../words/scorecards.ts'
import { EtaCurves } from './eta-curves.tsx'
import { groupOf, hours, share } from './eta-figures.ts'
import { EtaOutcomes } from './eta-outcomes.tsx'

const rowsMax = 100

export function EtasPart() {
  const [kind, setKind] = useState('line')
  const [by, setBy] = useState('line')
  const [shown, setShown] = useState<EtaScore | null>(null)
  const query = { 'filter[kind]': kind, group_by: by, 'page[size]': String(rowsMax) } as const
  const found = useRead('/v2/scorecards/etas', { query })
  const scores = found.data?.data ?? []
  const total = totalOf(found.data) ?? 0
  return (
    <Panel title={words.title}>
      <p className="quiet">{words.about}</p>
      <form className="filters">
        <Choice label={words.kind} value={kind} choices={words.kinds} change={setKind} />
        <Choice label={words.by} value={by} choices={words.groups} change={setBy} />
      </form>
      {found.error !== null && <p role="alert">{found.error.message}</p>}
      {found.data !== undefined && scores.length === 0 && <p>{words.none}</p>}
      {scores.length > 0 && (
        <>
          <EtaCurves scores={scores} />
          <Table label={words.title} columns={words.columns}>
            {scores.map((score) => {
              const { attributes } = score
              const [group, days] = [
                groupOf(score),
                words.days(attributes.days_ahead_min ?? 0, attributes.days_ahead_max ?? null),
              ]
              return (
                <tr key={score.id}>
                  <th scope="row">{group}</th>
                  <td>{days}</td>
                  <td>
                    <button
                      type="button"
                      className="plain"
                      aria-label={words.shipments(attributes.estimates ?? 0, group, days)}
                      onClick={() => setShown(score)}
                    >
                      {attributes.estimates}
                    </button>
                  </td>
                  <td>{hours(attributes.mean_error_hours)}</td>
                  <td>{hours(attributes.median_error_hours)}</td>
                  <td>{hours(attributes.bias_hours)}</td>
                  <td>{share(attributes.within_day_share)}</td>
                  <td>{share(attributes.range_held_share)}</td>
                  <td>{share(attributes.moved_share)}</td>
                  <td>{hours(attributes.mean_move_hours)}</td>
                </tr>
              )
            })}
          </Table>
          {total > scores.length && <p className="quiet">{words.more(scores.length, total)}</p>}
        </>
      )}
      {shown !== null && <EtaOutcomes key={shown.id} of={shown} />}
    </Panel>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: Readonly<Record<string, string>>
  readonly change: (value: string) => void
}

function Choice({ label, value, choices, change }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => change(event.target.value)}>
        {Object.entries(choices).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
