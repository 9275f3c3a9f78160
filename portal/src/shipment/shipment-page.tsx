/** One shipment: its head, and below it one of six parts, which the address names. */

import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ChargesPanel } from '../charges/charges-panel.tsx'
import { Icon } from '../parts/icon.tsx'
import '../parts/tabs.css'
import { shipmentWords as words } from '../words/shipment.ts'
import { BoxFacts } from './box-facts-part.tsx'
import { BoxChoice, BoxTable, JourneyPart, MapPart, StatementsPart } from './box-parts.tsx'
import { ChangesPart } from './changes-part.tsx'
import { CustomFields } from './custom-fields.tsx'
import { PeopleState } from './people-state.tsx'
import { ReadShipment, type ShipmentRead } from './read-shipment.tsx'
import { ShipmentIssues } from './shipment-issues.tsx'
import { ShipmentNotes } from './shipment-notes.tsx'
import { ShipmentPapers } from './shipment-papers.tsx'
import { ShipmentReferences } from './shipment-references.tsx'
import { useShipmentAddress } from './use-shipment-address.ts'

export function ShipmentPage() {
  const { shipmentId } = useParams({ from: '/shipments/$shipmentId' })
  return (
    <article className="shipment-page">
      <p className="back">
        <Link to="/shipments">
          <Icon name="back" /> {words.back}
        </Link>
      </p>
      <ReadShipment shipmentId={shipmentId}>{(read) => <ShipmentParts {...read} />}</ReadShipment>
    </article>
  )
}

function ShipmentParts({ shipment, boxes, box }: ShipmentRead) {
  const address = useShipmentAddress()
  const { asOf, tab } = address
  const parts: Readonly<Record<string, () => ReactNode>> = {
    journey: () => box !== null && <JourneyPart shipment={shipment} boxes={boxes} box={box} />,
    containers: () =>
      box !== null && (
        <>
          <BoxTable boxes={boxes} current={box} />
          <div className="two-columns box-part" key={box.id}>
            <div>
              <BoxFacts boxId={box.id} />
            </div>
            <div>
              <PeopleState boxId={box.id} />
              <CustomFields of="containers" id={box.id} />
            </div>
          </div>
        </>
      ),
    charges: () =>
      box !== null && (
        <>
          <BoxChoice boxes={boxes} current={box} />
          <ChargesPanel boxId={box.id} asOf={asOf} />
        </>
      ),
    papers: () => (
      <div className="two-columns">
        <div>
          <ShipmentPapers shipment={shipment} />
          <ShipmentNotes shipmentId={shipment.id} />
        </div>
        <div>
          <ShipmentReferences shipment={shipment} />
          <CustomFields of="shipments" id={shipment.id} />
        </div>
      </div>
    ),
    changes: () => (
      <ChangesPart shipmentId={shipment.id} hasSeveral={boxes.length > 1}>
        <ShipmentIssues shipmentId={shipment.id} />
        {box !== null && <StatementsPart box={box} />}
      </ChangesPart>
    ),
    map: () =>
      box !== null && (
        <>
          <BoxChoice boxes={boxes} current={box} />
          <MapPart box={box} />
        </>
      ),
  }
  return (
    <>
      <nav className="tabs" aria-label={shipment.attributes.bill_of_lading_number ?? ''}>
        {Object.keys(parts).map((each) => (
          <Link
            key={each}
            to="."
            search={address.with({ tab: each === 'journey' ? '' : each })}
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            {...(each === tab ? { 'aria-current': 'page' as const } : {})}
          >
            {words.tabs[each]}
            {each === 'containers' && ` ${boxes.length}`}
          </Link>
        ))}
      </nav>
      {(parts[tab] ?? parts['journey'])?.() || <p className="quiet">{words.containersNone}</p>}
    </>
  )
}
