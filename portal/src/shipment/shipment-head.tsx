/** The head of a shipment: number, line, status, route, and its main times, each with who said so. */

import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { slipHours, slipWords } from '../parts/time.ts'
import { useAct } from '../parts/use-act.ts'
import { ShareButton } from '../sharing/share-button.tsx'
import { reasonWords, statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { words as common } from '../words/words.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

export function ShipmentHead({ shipment }: { shipment: Shipment }) {
  const { attributes, meta } = shipment
  const proof = (meta?.provenance ?? {}) as Provenance
  const reason = attributes.line_tracking_stopped_reason
  return (
    <header className="shipment-head">
      <div className="title">
        <h1 className="number">{attributes.bill_of_lading_number}</h1>
        <p className="quiet">
          {attributes.shipping_line_name} · {attributes.shipping_line_scac}
          {attributes.customer_name && ` · ${attributes.customer_name}`}
        </p>
        <Badge said={statusWords(attributes.status)} />
        <span className="actions">
          <ShareButton shared={{ type: 'shipment', id: shipment.id }} name={attributes.bill_of_lading_number ?? ''} />
          <TrackingButton shipment={shipment} />
        </span>
      </div>
      {reason && <p className="note">{words.stopped(reasonWords(reason)[0])}</p>}
      <ol className="route" aria-label={common.list.head.route}>
        <Stop name={attributes.port_of_lading_name} code={attributes.port_of_lading_locode}>
          <Time name="pol_etd_at" label={words.departure} {...departure(attributes)} proof={proof} />
        </Stop>
        <Stop name={attributes.port_of_discharge_name} code={attributes.port_of_discharge_locode}>
          <Time name="pod_eta_at" label={words.arrival} {...arrival(attributes)} proof={proof} />
        </Stop>
        {attributes.destination_name && attributes.destination_locode !== attributes.port_of_discharge_locode && (
          <Stop name={attributes.destination_name} code={attributes.destination_locode}>
            <Time name="destination_eta_at" label={words.inland} {...inland(attributes)} proof={proof} />
          </Stop>
        )}
      </ol>
      <dl className="head-facts">
        <div>
          <dt>{words.ship}</dt>
          <dd>
            {attributes.pod_vessel_name ?? <Unsaid />}{' '}
            {attributes.pod_voyage_number && (
              <span className="quiet">{words.voyage(attributes.pod_voyage_number)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.answered}</dt>
          <dd>
            {attributes.line_tracking_last_succeeded_at ? (
              <Moment at={attributes.line_tracking_last_succeeded_at} zone="UTC" />
            ) : (
              <Unsaid>{words.notYet}</Unsaid>
            )}
          </dd>
        </div>
      </dl>
    </header>
  )
}

type Attributes = Shipment['attributes']
interface Told {
  readonly at: string | null | undefined
  readonly zone: string | null | undefined
  readonly original: string | null | undefined
  readonly isActual: boolean
}

const departure = (a: Attributes): Told => ({
  at: a.pol_atd_at ?? a.pol_etd_at,
  zone: a.pol_timezone,
  original: a.pol_original_etd_at,
  isActual: Boolean(a.pol_atd_at),
})
const arrival = (a: Attributes): Told => ({
  at: a.pod_ata_at ?? a.pod_eta_at,
  zone: a.pod_timezone,
  original: a.pod_original_eta_at,
  isActual: Boolean(a.pod_ata_at),
})
const inland = (a: Attributes): Told => ({
  at: a.destination_ata_at ?? a.destination_eta_at,
  zone: a.destination_timezone,
  original: a.destination_original_eta_at,
  isActual: Boolean(a.destination_ata_at),
})

function Stop(props: { name: string | null | undefined; code: string | null | undefined; children: React.ReactNode }) {
  return (
    <li>
      <strong>{props.name ?? <Unsaid>{words.placeUnknown}</Unsaid>}</strong>{' '}
      {props.code && props.code !== props.name && <span className="code">{props.code}</span>}
      {props.children}
    </li>
  )
}

function Time(props: Told & { label: string; name: string; proof: Provenance }) {
  const { at, zone, original, isActual, label, name, proof } = props
  const slip = slipHours(at, original)
  const shown = isActual ? name.replace('etd', 'atd').replace('eta', 'ata') : name
  return (
    <p className="stop-time">
      <span className="label">
        {label}
        {at && !isActual ? `, ${words.estimated}` : ''}
      </span>
      <Moment at={at} zone={zone} isEstimate={!isActual} />
      {slip !== null && <span className={slip >= 24 ? 'late under' : 'under'}>{slipWords(slip)}</span>}
      <WhoSaid name={label} proof={proof[shown] ?? null} />
    </p>
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
