/** The documents that name this shipment. */

import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { downloadDocument } from '../documents/download-document.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Reading } from '../parts/reading.tsx'
import { useSay } from '../parts/said-line.tsx'
import { plain } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function ShipmentPapers({ shipment }: { shipment: Shipment }) {
  const connection = useConnection()
  const say = useSay()
  const number = shipment.attributes.normalized_number ?? shipment.attributes.bill_of_lading_number ?? ''
  const found = useRead('/v2/documents', { query: { 'filter[reference]': number, 'page[size]': 20 } })
  const download = (id: string): void =>
    void downloadDocument(connection, id).catch((error: unknown) =>
      say(error instanceof Error ? error.message : String(error)),
    )
  return (
    <Panel title={words.documents}>
      {found.data === undefined && <Reading />}
      {found.data?.data.length === 0 && <p className="quiet">{words.documentsNone}</p>}
      <ul className="plain-list">
        {found.data?.data.map(({ id, attributes }) => (
          <li key={id}>
            <button type="button" className="link" onClick={() => download(id)}>
              {attributes.name}
            </button>{' '}
            <span className="quiet">
              {plain(attributes.document_type_manual ?? attributes.document_type ?? '')},{' '}
              <Moment at={attributes.created_at} zone="reader" />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
