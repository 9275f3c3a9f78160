/** What could not be read or believed in the line's answers about this shipment. */

import type { Issue } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { Reading } from '../parts/reading.tsx'
import { plain } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function ShipmentIssues({ shipmentId }: { shipmentId: string }) {
  const found = useRead('/v2/shipments/{id}/issues', { ids: [shipmentId], query: { 'page[size]': 50 } })
  const issues = found.data?.data ?? []
  return (
    <Panel title={words.issues}>
      {found.data === undefined && <Reading />}
      {found.error !== null && <p className="quiet">{found.error.message}</p>}
      {found.data !== undefined && issues.length === 0 && <p className="quiet">{words.issuesNone}</p>}
      <ul className="plain-list issues">
        {issues.map(({ id, attributes }) => (
          <li key={id}>
            <strong>{lostWords(attributes)}</strong> {plain(attributes.kind ?? '')}: {attributes.detail}{' '}
            {attributes.pointer && <code>{attributes.pointer}</code>}{' '}
            <span className="quiet">{words.times(attributes.count ?? 1)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function lostWords({ lost }: Issue['attributes']): string {
  return words.lost[lost ?? 'nothing'] ?? ''
}
