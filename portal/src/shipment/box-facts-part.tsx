/** What somebody needs to know to pick a container up, each with who said so. */

import type { ReactNode } from 'react'
import type { Container, Terminal } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { Fees, FreeTime, Holds } from '../parts/box-facts.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

export function BoxFacts({ box, terminal }: { box: Container; terminal: Terminal | null }) {
  const { attributes, meta } = box
  const proof = (meta?.provenance ?? {}) as Provenance
  const { labels } = words
  const fact = (label: string, attribute: string | null, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {attribute !== null && <WhoSaid name={label} proof={proof[attribute] ?? null} />}
      </dd>
    </div>
  )
  return (
    <Panel title={words.facts} aside={<Refresh boxId={box.id} />}>
      <dl className="facts">
        {fact(labels.status, 'current_status', statusWords(attributes.current_status)[0])}
        {fact(labels.availability, 'available_for_pickup', <Available box={attributes} />)}
        {fact(labels.lfd, 'pickup_lfd', <FreeTime box={attributes} />)}
        {fact(
          labels.appointment,
          'pickup_appointment_at',
          <Moment
            at={attributes.pickup_appointment_at}
            zone={attributes.final_destination_timezone ?? attributes.pod_timezone}
          />,
        )}
        {fact(labels.holds, 'holds_at_pod_terminal', <Holds box={box} />)}
        {fact(labels.fees, 'fees_at_pod_terminal', <Fees box={box} />)}
        {fact(labels.terminal, 'pod_terminal', terminal?.attributes.name ?? <Unsaid />)}
        {fact(labels.equipment, 'equipment_type', equipment(attributes) ?? <Unsaid />)}
        {fact(
          labels.weight,
          'weight_in_lbs',
          typeof attributes.weight_in_lbs === 'number' ? (
            `${attributes.weight_in_lbs.toLocaleString('en')} lb`
          ) : (
            <Unsaid />
          ),
        )}
        {fact(labels.seal, 'seal_number', attributes.seal_number ?? <Unsaid />)}
        {fact(words.asked, null, <Moment at={attributes.shipment_last_tracking_request_at} zone="UTC" />)}
      </dl>
    </Panel>
  )
}

function Available({ box }: { box: Container['attributes'] }) {
  if (box.availability_known !== true) return <Unsaid />
  return box.available_for_pickup === true ? words.yes : words.no
}

function equipment(box: Container['attributes']): string | null {
  if (!box.equipment_type) return null
  const length = box.equipment_length ? `${box.equipment_length} ft ` : ''
  return `${length}${box.equipment_type}${box.equipment_height === 'high_cube' ? ', high cube' : ''}`
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
