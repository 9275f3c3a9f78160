/** One shipment: its head, and below it one of six parts, which the address names. */

import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Joined } from '../api/joined.ts'
import { useRead } from '../api/queries.ts'
import { ChargesPanel } from '../charges/charges-panel.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import '../parts/tabs.css'
import { shipmentWords as words } from '../words/shipment.ts'
import { BoxFacts } from './box-facts-part.tsx'
import { BoxChoice, BoxTable, JourneyPart, MapPart, StatementsPart, useRoute } from './box-parts.tsx'
import { ChangesPart } from './changes-part.tsx'
import { CustomFields } from './custom-fields.tsx'
import { PeopleState } from './people-state.tsx'
import { ShipmentHead, useToDo } from './shipment-head.tsx'
import { ShipmentIssues } from './shipment-issues.tsx'
import { ShipmentNotes } from './shipment-notes.tsx'
import { ShipmentPapers } from './shipment-papers.tsx'
import { ShipmentReferences } from './shipment-references.tsx'
import './shipment.css'
import { useShipmentAddress } from './use-shipment-address.ts'
import { LineName } from './who-said.tsx'

export function ShipmentPage() {
  const { shipmentId } = useParams({ from: '/shipments/$shipmentId' })
  const address = useShipmentAddress()
  const { asOf, tab } = address
  const found = useRead('/v2/shipments/{id}', {
    ids: [shipmentId],
    query: { include: 'containers.pod_terminal', as_of: asOf, provenance: true },
    keepsLast: true,
  })
  const toDo = useToDo(shipmentId)
  const shipment = found.data?.data
  const joined = found.data === undefined ? null : new Joined(found.data)
  const boxes = joined?.many(shipment?.relationships?.containers) ?? []
  const box = boxes.find(({ attributes }) => attributes.number === address.box) ?? boxes[0] ?? null
  const route = useRoute(box?.id ?? null)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  // The head comes at once, so that nothing moves.
  if (joined === null || shipment === undefined || toDo.isLoading || route.isLoading) return <Reading />
  const terminals = boxes.flatMap((each) => joined.one(each.relationships?.pod_terminal)?.attributes.name ?? [])
  const { shipping_line_scac: code = '', shipping_line_short_name: name = code } = shipment.attributes
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
    <LineName value={{ code, name }}>
      <article className="shipment-page">
        <p className="back">
          <Link to="/shipments">
            <Icon name="back" /> {words.back}
          </Link>
        </p>
        <ShipmentHead shipment={shipment} boxes={boxes} box={box} terminals={[...new Set(terminals)]} />
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
      </article>
    </LineName>
  )
}
