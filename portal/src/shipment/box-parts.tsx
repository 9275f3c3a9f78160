/** The parts of a shipment's page that are about one of its containers. */

import { Link } from '@tanstack/react-router'
import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { Joined } from '../api/joined.ts'
import { useAsk, useRead } from '../api/queries.ts'
import { JourneyMap } from '../map/journey-map.tsx'
import type { MapDocument } from '../map/map-document.ts'
import { Badge } from '../parts/badge.tsx'
import { Fees, FreeTime, Holds } from '../parts/box-facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { BoxFacts, useBox } from './box-facts-part.tsx'
import { EtaCurve } from './eta-curve.tsx'
import { ExpectedNext } from './expected-next.tsx'
import { type Estimates, JourneyTable } from './journey-table.tsx'
import { StatementTable } from './statement-table.tsx'
import { movesOf } from './timeline-steps.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

interface PartProps {
  readonly shipment: Shipment
  readonly boxes: readonly Container[]
  readonly box: Container
}

/** The route is known as it is now, not as it was known before. */
export function useRoute(boxId: string | null) {
  const { asOf } = useShipmentAddress()
  return useRead('/v2/containers/{id}/route', {
    ids: [boxId ?? ''],
    query: { include: 'port,vessel,route_location' },
    isOn: asOf === null && boxId !== null,
  })
}

function useEvents(boxId: string) {
  const { asOf } = useShipmentAddress()
  return useRead('/v2/containers/{id}/transport_events', {
    ids: [boxId],
    query: {
      include: 'location,vessel,terminal,source_event,previous_version',
      as_of: asOf,
      provenance: true,
      'page[size]': 100,
    },
    keepsLast: true,
  })
}

export function JourneyPart({ shipment, boxes, box }: PartProps) {
  const { asOf } = useShipmentAddress()
  const events = useEvents(box.id)
  const route = useRoute(box.id)
  const isAtSea = shipment.attributes.status === 'in_transit' && asOf === null
  const [facts, map] = [useBox(box.id, !isAtSea), useMap(box.id, isAtSea)]
  if (events.error !== null) return <ProblemNote error={events.error} again={() => void events.refetch()} />
  // Both columns come at once, so that nothing moves.
  if (events.data === undefined || route.isLoading || facts.isLoading || map.isLoading) return <Reading />
  return (
    <div className="two-columns wide-first">
      <div>
        <BoxChoice boxes={boxes} current={box} />
        <JourneyTable
          events={events.data.data}
          joined={new Joined(events.data)}
          moves={route.data === undefined ? [] : movesOf(route.data)}
          estimates={boxes.length === 1 ? estimatesOf(shipment.attributes) : {}}
        />
        {asOf === null && <ExpectedNext shipmentId={shipment.id} boxId={box.id} zone={box.attributes.pod_timezone} />}
      </div>
      <div>
        {isAtSea ? <MapPart box={box} /> : <BoxFacts boxId={box.id} />}
        {asOf === null && <EtaCurve shipment={shipment} />}
      </div>
    </div>
  )
}

/** Those of the shipment are those of its container if there is only one. */
function estimatesOf(a: Shipment['attributes']): Estimates {
  const time = (at: string | null | undefined, zone: string | null | undefined) =>
    at ? { at, zone, isDay: false } : null
  return {
    vessel_departed: {
      planned: time(a.pol_original_etd_at, a.pol_timezone),
      estimated: time(a.pol_etd_at, a.pol_timezone),
    },
    vessel_arrived: {
      planned: time(a.pod_original_eta_at, a.pod_timezone),
      estimated: time(a.pod_eta_at, a.pod_timezone),
    },
    arrived_at_inland_destination: {
      planned: time(a.destination_original_eta_at, a.destination_timezone),
      estimated: time(a.destination_eta_at, a.destination_timezone),
    },
  }
}

function useMap(boxId: string, isOn = true) {
  return useAsk<MapDocument>(`/v2/containers/${boxId}/map_geojson`, { isOn })
}

export function MapPart({ box }: { box: Container }) {
  const map = useMap(box.id)
  return (
    <Panel title={words.map}>
      {map.error !== null && <p className="map-empty quiet">{map.error.message}</p>}
      {map.error === null && map.data === undefined && <div className="map-empty" aria-busy="true" />}
      {map.data !== undefined && <JourneyMap document={map.data} />}
    </Panel>
  )
}

/** Every statement about the container, and which of them the journey rests on. */
export function StatementsPart({ box }: { box: Container }) {
  const { asOf } = useShipmentAddress()
  const said = useRead('/v2/containers/{id}/raw_events', { ids: [box.id], query: { as_of: asOf, 'page[size]': 100 } })
  const events = useEvents(box.id)
  if (said.data === undefined || events.data === undefined) return null
  return <StatementTable statements={said.data.data} events={events.data.data} />
}

/** A link for each container where there are several. */
export function BoxChoice({ boxes, current }: { boxes: readonly Container[]; current: Container }) {
  const address = useShipmentAddress()
  if (boxes.length < 2) return null
  return (
    <nav className="tabs box-choice" aria-label={words.containers(boxes.length)}>
      {boxes.map(({ id, attributes: { number = '' } }) => (
        <Link
          key={id}
          to="."
          search={address.with({ box: number })}
          resetScroll={false}
          activeOptions={{ exact: true, includeSearch: true }}
          {...(id === current.id ? { 'aria-current': 'true' as const } : {})}
        >
          <span className="number">{number}</span>
        </Link>
      ))}
    </nav>
  )
}

export function BoxTable({ boxes, current }: { boxes: readonly Container[]; current: Container }) {
  const address = useShipmentAddress()
  if (boxes.length < 2) return null
  return (
    <Panel title={words.containers(boxes.length)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <section className="scroll" aria-label={words.containers(boxes.length)} tabIndex={0}>
        <table className="boxes">
          <thead>
            <tr>
              {words.boxColumns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {boxes.map((box) => {
              const { number = '', current_status: status, pickup_appointment_at: appointment } = box.attributes
              return (
                <tr key={box.id}>
                  <th scope="row">
                    <Link
                      to="."
                      search={address.with({ box: number })}
                      resetScroll={false}
                      activeOptions={{ exact: true, includeSearch: true }}
                      className="number"
                      {...(box.id === current.id ? { 'aria-current': 'true' as const } : {})}
                    >
                      {number}
                    </Link>
                  </th>
                  <td>
                    <Badge said={statusWords(status)} />
                  </td>
                  <td>
                    <FreeTime box={box.attributes} />
                  </td>
                  <td>
                    <Holds box={box} />
                  </td>
                  <td>
                    <Fees box={box} />
                  </td>
                  <td>
                    <Moment at={appointment} zone={box.attributes.pod_timezone} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}
