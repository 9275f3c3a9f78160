/** The head of a shipment answers three questions: where is it, when does it come, what must be done. */

import type { ReactNode } from 'react'
import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { dayOf, Moment } from '../parts/moment.tsx'
import { Slip } from '../parts/slip-mark.tsx'
import { shownZone } from '../parts/time.ts'
import { useAct } from '../parts/use-act.ts'
import { ShareButton } from '../sharing/share-button.tsx'
import { attentionWords } from '../words/attention.ts'
import { reasonWords, statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { useRoute } from './box-parts.tsx'
import { PastClock } from './past-clock.tsx'
import { PortLine, stopsOfRoute, stopsOfShipment } from './port-line.tsx'
import { useShipmentAddress } from './use-shipment-address.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

interface HeadProps {
  readonly shipment: Shipment
  readonly boxes: readonly Container[]
  readonly box: Container | null
  /** Names of the terminals at the port of discharge. */
  readonly terminals: readonly string[]
}

export function ShipmentHead({ shipment, boxes, box, terminals }: HeadProps) {
  const { asOf, change } = useShipmentAddress()
  const route = useRoute(box?.id ?? null).data
  const { attributes } = shipment
  const number = attributes.bill_of_lading_number ?? ''
  const reason = attributes.line_tracking_stopped_reason
  const ways = route === undefined ? [] : stopsOfRoute(route)
  const about = [attributes.shipping_line_name, attributes.customer_name, ...(attributes.ref_numbers ?? [])]
  return (
    <header className="shipment-head">
      <div className="title">
        <h1 className="number">{number}</h1>
        <p className="quiet">{about.filter(Boolean).join(' · ')}</p>
        <Badge said={statusWords(attributes.status)} />
        <span className="actions">
          <PastClock shipmentId={shipment.id} />
          <ShareButton shared={{ type: 'shipment', id: shipment.id }} name={number} />
          <TrackingButton shipment={shipment} />
        </span>
      </div>
      {asOf !== null && (
        <p className="note" role="status">
          {words.pastAt} <Moment at={asOf} zone="reader" />.{' '}
          <button type="button" onClick={() => change({ as_of: '' })}>
            {words.pastBack}
          </button>
        </p>
      )}
      {reason && reason !== 'all_containers_terminated' && (
        <p className="note">{words.stopped(reasonWords(reason)[0])}</p>
      )}
      <PortLine stops={ways.length > 1 ? ways : stopsOfShipment(shipment)} />
      <div className="answers">
        <Where shipment={shipment} boxes={boxes} terminals={terminals} />
        <Arrival shipment={shipment} />
        {asOf === null && <ToDo shipmentId={shipment.id} />}
      </div>
    </header>
  )
}

function Answer({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const atTerminal = ['grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'off_dock']

function Where({ shipment, boxes, terminals }: Omit<HeadProps, 'box'>) {
  const { attributes: a, meta } = shipment
  const statuses = boxes.map(({ attributes }) => attributes.current_status ?? 'new')
  const states = [...new Set(statuses)].map((status) => {
    const [said] = statusWords(status)
    const text = atTerminal.includes(status) ? words.atTerminal(status === 'grounded' ? null : said) : said
    return boxes.length === 1 ? text : `${statuses.filter((each) => each === status).length} ${text.toLowerCase()}`
  })
  const isAtSea = a.status === 'in_transit' || a.status === 'pending'
  const places = [
    ...(isAtSea ? [a.pod_vessel_name, a.pod_voyage_number && words.voyage(a.pod_voyage_number)] : []),
    ...(statuses.includes('on_rail') && a.destination_name ? [words.towards(a.destination_name)] : []),
    ...(statuses.some((each) => atTerminal.includes(each)) ? terminals : []),
  ]
  const own = meta?.own_eta
  return (
    <Answer title={words.where}>
      <p className="answer">{states.join(', ') || words.containersNone}</p>
      <p>{places.filter(Boolean).join(' · ')}</p>
      {isAtSea && own && (
        <p className="quiet">
          {words.miles(own.remaining_nautical_miles)}, {words.position}{' '}
          <Moment at={own.position_heard_at} zone="reader" />
        </p>
      )}
    </Answer>
  )
}

function Arrival({ shipment }: { shipment: Shipment }) {
  const { attributes: a, meta } = shipment
  const proof = (meta?.provenance ?? {}) as Provenance
  const zone = a.pod_timezone
  const hasCome = Boolean(a.pod_ata_at)
  const at = a.pod_ata_at ?? a.pod_eta_at
  const own = meta?.own_eta
  const day = (time: string | null | undefined): string => (time ? dayOf(time, shownZone(zone)) : '–')
  const said: readonly (readonly [by: string, when: string | null | undefined])[] = [
    [words.firstTold, a.pod_original_eta_at && day(a.pod_original_eta_at)],
    ...(own
      ? ([
          [words.byShip, own.made_of && day(own.made_of.vessel_eta_at)],
          [words.ours, words.range(day(own.earliest_at), day(own.latest_at))],
        ] as const)
      : []),
    [a.destination_name ?? words.inland, inlandOf(a)],
  ]
  return (
    <Answer title={words.arrival}>
      <p className="answer">
        <Moment at={at} zone={zone} /> <Slip at={at} estimates={a} isActual={Boolean(a.pod_ata_at)} />
      </p>
      <p>
        {at && `${hasCome ? words.arrived : words.expected} `}
        <WhoSaid name={words.arrival} proof={proof[hasCome ? 'pod_ata_at' : 'pod_eta_at']} zone={zone} hasName />
      </p>
      <dl className="who-says">
        {said.map(([by, when]) =>
          when ? (
            <div key={by}>
              <dt>{by}</dt>
              <dd>{when}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </Answer>
  )
}

function inlandOf(a: Shipment['attributes']): string | null {
  const at = a.destination_ata_at ?? a.destination_eta_at
  return at && a.destination_locode !== a.port_of_discharge_locode ? dayOf(at, shownZone(a.destination_timezone)) : null
}

export function useToDo(shipmentId: string) {
  return useRead('/v2/attention', { query: { 'filter[shipment]': shipmentId, 'page[size]': 50 } })
}

/** What needs attention here, as the inbox has it. */
function ToDo({ shipmentId }: { shipmentId: string }) {
  const items = useToDo(shipmentId).data?.data
  return (
    <Answer title={words.toDo}>
      {items?.length === 0 && <p className="quiet">{words.toDoNone}</p>}
      <ul className="plain-list">
        {items?.map(({ id, attributes: { reason = '', severity = '', text } }) => (
          <li key={id} className={`to-do-item ${severity}`}>
            <strong>{attentionWords.reasons[reason] ?? reason}</strong>
            <span className="under">{text}</span>
          </li>
        ))}
      </ul>
    </Answer>
  )
}

function TrackingButton({ shipment }: { shipment: Shipment }) {
  const connection = useConnection()
  const act = useAct()
  const isStopped = Boolean(shipment.attributes.line_tracking_stopped_at)
  const verb = isStopped ? 'resume_tracking' : 'stop_tracking'
  const press = (): Promise<boolean> =>
    act(
      () => connection.ask('PATCH', `/v2/shipments/${shipment.id}/${verb}`),
      (answer) => (answer as { readonly message?: string } | null)?.message ?? words.saved,
    )
  return (
    <button type="button" onClick={() => void press()}>
      {isStopped ? words.resume : words.stop}
    </button>
  )
}
