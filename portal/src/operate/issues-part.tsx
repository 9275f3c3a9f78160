/** Data quality: what could not be read or believed, by line, seen last first. */

import { useState } from 'react'
import { useRead } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { codeWords, plain } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import { SourceScores, useSourceScores } from './source-scores.tsx'
import { Table } from './table.tsx'

const words = operateWords.issues

export function IssuesPart() {
  const [scac, setScac] = useState('')
  const lines = useRead('/v2/shipping_lines')
  const scores = useSourceScores()
  const found = useRows('/v2/issues', { 'filter[scac]': scac || null })
  // What stands below would jump when the scorecard comes.
  if (scores.isPending) return <p className="quiet" aria-busy="true" />
  return (
    <Panel title={operateWords.parts['issues'] ?? ''}>
      <SourceScores found={scores} />
      <h3>{words.title}</h3>
      <p className="quiet">{words.about}</p>
      <label className="field reference">
        <span>{words.line}</span>
        <select value={scac} onChange={(event) => setScac(event.target.value)}>
          <option value="">–</option>
          {lines.data?.data.map(({ id, attributes }) => (
            <option key={id} value={attributes.scac}>
              {attributes.name} · {attributes.scac}
            </option>
          ))}
        </select>
      </label>
      {found.isEmpty ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <Table label={operateWords.parts['issues'] ?? ''} columns={words.columns}>
          {found.rows.map(({ id, attributes }) => (
            <tr key={id}>
              <td>
                <Moment at={attributes.last_seen_at} zone="UTC" />
              </td>
              <td>{attributes.scac}</td>
              <td>{plain(attributes.kind ?? '')}</td>
              <td>{codeWords(attributes.lost)}</td>
              <td>
                {attributes.detail}
                {attributes.pointer && <code className="under">{attributes.pointer}</code>}
              </td>
              <td>{attributes.count}</td>
            </tr>
          ))}
        </Table>
      )}
      <ReadMore list={found} />
    </Panel>
  )
}
