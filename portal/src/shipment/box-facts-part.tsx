/** What somebody needs to know to pick a container up. Its sources stand once at the head, the proof at each value. */

import type { ReactNode } from 'react'
import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { Joined } from '../api/joined.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Fees, FreeTime, Holds } from '../parts/box-facts.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { plain, statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'
import { type Provenance, useSources, WhoSaid } from './who-said.tsx'

export function useBox(boxId: string, isOn = true) {
  const { asOf } = useShipmentAddress()
  return useRead('/v2/containers/{id}', {
    ids: [boxId],
    query: { include: 'pod_terminal', as_of: asOf, provenance: true },
    keepsLast: true,
    isOn,
  })
}

export function BoxFacts({ boxId }: { boxId: string }) {
  const { asOf } = useShipmentAddress()
  const found = useBox(boxId)
  if (found.data === undefined) return null
  const box = found.data.data
  const terminal = new Joined(found.data).one(box.relationships?.pod_terminal)?.attributes.name
  return <Facts box={box} terminal={terminal ?? null} isNow={asOf === null} />
}

function Facts({ box, terminal, isNow }: { box: Container; terminal: string | null; isNow: boolean }) {
  const { attributes, meta } = box
  const proof = (meta?.provenance ?? {}) as Provenance
  const { labels } = words
  const weight = attributes.weight_in_lbs
  const zone = attributes.final_destination_timezone ?? attributes.pod_timezone
  const facts: readonly (readonly [label: string, attribute: string, value: ReactNode])[] = [
    [labels.status, 'current_status', statusWords(attributes.current_status)[0]],
    [labels.availability, 'available_for_pickup', <Available key="available" box={attributes} />],
    [labels.lfd, proofOfLfd[attributes.free_until?.by ?? 'terms'] ?? '', <FreeTime key="lfd" box={attributes} />],
    [
      labels.appointment,
      'pickup_appointment_at',
      <Moment key="at" at={attributes.pickup_appointment_at} zone={zone} />,
    ],
    [labels.holds, 'holds_at_pod_terminal', <Holds key="holds" box={box} />],
    [labels.fees, 'fees_at_pod_terminal', <Fees key="fees" box={box} />],
    [labels.terminal, 'pod_terminal', terminal],
    [labels.yard, 'location_at_pod_terminal', attributes.location_at_pod_terminal],
    [labels.equipment, 'equipment_type', equipment(attributes)],
    [labels.weight, 'weight_in_lbs', typeof weight === 'number' ? `${weight.toLocaleString('en')} lb` : null],
    [labels.seal, 'seal_number', attributes.seal_number],
  ]
  const sources = useSources(
    proof,
    facts.map(([, attribute]) => attribute),
  )
  const asked = attributes.shipment_last_tracking_request_at
  return (
    <Panel title={words.facts} aside={isNow && <Refresh boxId={box.id} />}>
      <dl className="facts">
        {facts.map(([label, attribute, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <div>{value ?? <Unsaid />}</div>
              <WhoSaid name={label} proof={proof[attribute]} zone={zone} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="quiet sources">
        {sources.length > 0 && `${words.saidBy(sources.join(', '))} · `}
        {words.asked} <Moment at={asked} zone="reader" />
      </p>
    </Panel>
  )
}

/** What was said of the last free day that counts, by who gives it. The days of our own terms are under Charges. */
const proofOfLfd: Readonly<Record<string, string>> = {
  line: 'ssl_lfd',
  terminal: 'import_deadlines.pickup_lfd_terminal',
  railway: 'ind_facility_lfd_on',
}

function Available({ box }: { box: Container['attributes'] }) {
  if (box.availability_known !== true) return <Unsaid />
  return box.available_for_pickup === true ? words.yes : words.no
}

function equipment(box: Container['attributes']): string | null {
  if (!box.equipment_type) return null
  const length = box.equipment_length ? `${box.equipment_length} ft ` : ''
  return `${length}${plain(box.equipment_type).toLowerCase()}${box.equipment_height === 'high_cube' ? ', high cube' : ''}`
}

function Refresh({ boxId }: { boxId: string }) {
  const connection = useConnection()
  const act = useAct()
  const press = (): Promise<boolean> =>
    act(
      () => connection.ask('PATCH', `/v2/containers/${boxId}/refresh`),
      (answer) => (answer as { readonly message?: string } | null)?.message ?? words.refreshed,
    )
  return (
    <button type="button" onClick={() => void press()}>
      {words.refresh}
    </button>
  )
}
