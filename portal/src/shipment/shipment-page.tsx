/** One shipment: its state, its way, its containers, the sources of its values, and its earlier states. */

import { Link, useParams } from '@tanstack/react-router'
import { Joined } from '../api/joined.ts'
import { useAsk, useRead } from '../api/queries.ts'
import { JourneyMap } from '../map/journey-map.tsx'
import type { MapDocument } from '../map/map-document.ts'
import { Icon } from '../parts/icon.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { shipmentWords as words } from '../words/shipment.ts'
import { words as common } from '../words/words.ts'
import { BoxChoice } from './box-choice.tsx'
import { BoxPart } from './box-part.tsx'
import { CustomFields } from './custom-fields.tsx'
import { EtaCurve } from './eta-curve.tsx'
import { HistoryPart } from './history-part.tsx'
import { PastSlider } from './past-slider.tsx'
import { ShipmentHead } from './shipment-head.tsx'
import { ShipmentIssues } from './shipment-issues.tsx'
import { ShipmentNotes } from './shipment-notes.tsx'
import { ShipmentPapers } from './shipment-papers.tsx'
import { ShipmentReferences } from './shipment-references.tsx'
import './shipment.css'
import { useShipmentAddress } from './use-shipment-address.ts'

export function ShipmentPage() {
  const { shipmentId } = useParams({ from: '/shipments/$shipmentId' })
  const { asOf, box: wanted } = useShipmentAddress()
  const found = useRead('/v2/shipments/{id}', {
    ids: [shipmentId],
    query: { include: 'containers', as_of: asOf, provenance: true },
    keepsLast: true,
  })
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <p className="quiet">{common.reading}</p>
  const shipment = found.data.data
  const boxes = new Joined(found.data).many(shipment.relationships?.containers)
  const box = boxes.find(({ attributes }) => attributes.number === wanted) ?? boxes[0] ?? null
  return (
    <article className="shipment-page">
      <p className="back">
        <Link to="/shipments">
          <Icon name="back" /> {words.back}
        </Link>
      </p>
      <ShipmentHead shipment={shipment} />
      <PastSlider shipment={shipment} />
      <div className="two-columns">
        <Panel title={words.map}>
          {box === null ? <p className="quiet">{words.containersNone}</p> : <MapOf boxId={box.id} />}
        </Panel>
        <Panel title={words.curve}>
          <EtaCurve shipment={shipment} />
        </Panel>
      </div>
      <BoxChoice boxes={boxes} current={box} />
      {box !== null && <BoxPart key={box.id} boxId={box.id} />}
      <div className="two-columns">
        <div>
          <HistoryPart shipmentId={shipment.id} />
          <ShipmentIssues shipmentId={shipment.id} />
        </div>
        <div>
          <ShipmentReferences shipment={shipment} />
          <CustomFields of="shipments" id={shipment.id} />
          <ShipmentPapers shipment={shipment} />
          <ShipmentNotes shipmentId={shipment.id} />
        </div>
      </div>
    </article>
  )
}

function MapOf({ boxId }: { boxId: string }) {
  const map = useAsk<MapDocument>(`/v2/containers/${boxId}/map_geojson`)
  if (map.error !== null) return <p className="map-empty quiet">{map.error.message}</p>
  if (map.data === undefined) return <div className="map-empty" aria-busy="true" />
  return <JourneyMap document={map.data} />
}
