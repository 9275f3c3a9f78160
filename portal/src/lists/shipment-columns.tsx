/** The columns of the list of shipments. */

import { Link } from '@tanstack/react-router'
import type { ColumnDef } from '@tanstack/react-table'
import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { Badge } from '../parts/badge.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { slipHours, slipWords } from '../parts/time.ts'
import { To } from '../parts/to.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { chooseColumn } from './data-table.tsx'

const { head } = words.list

export const shipmentColumnsAtFirst = ['number', 'route', 'status', 'eta', 'ship', 'boxes', 'references']

const column = (
  id: string,
  header: string,
  cell: (shipment: Shipment['attributes'], row: Shipment) => React.ReactNode,
): ColumnDef<Shipment> => ({ id, header, cell: ({ row }) => cell(row.original.attributes, row.original) })

export const shipmentColumns: ColumnDef<Shipment>[] = [
  chooseColumn(({ attributes }) => attributes.bill_of_lading_number ?? ''),
  column('number', head.number, (shipment, { id }) => (
    <>
      <Link to="/shipments/$shipmentId" params={{ shipmentId: id }} className="number">
        {shipment.bill_of_lading_number}
      </Link>
      <span className="under">{shipment.shipping_line_name}</span>
    </>
  )),
  column('route', head.route, (shipment) => (
    <>
      <Place name={shipment.port_of_lading_name} /> <To /> <Place name={shipment.port_of_discharge_name} />
      {shipment.destination_name && shipment.destination_locode !== shipment.port_of_discharge_locode && (
        <span className="under">
          <To /> {shipment.destination_name}
        </span>
      )}
    </>
  )),
  column('status', head.status, (shipment) => (
    <>
      <Badge said={statusWords(shipment.status)} />
      {shipment.line_tracking_stopped_at && <span className="under">{words.list.stopped}</span>}
    </>
  )),
  column('eta', head.eta, (shipment) => <Arrival shipment={shipment} />),
  column('ship', head.ship, (shipment) => (
    <>
      {shipment.pod_vessel_name ?? <Unsaid>{words.said.unknown}</Unsaid>}
      {shipment.pod_voyage_number && <span className="under">{shipment.pod_voyage_number}</span>}
    </>
  )),
  column('boxes', head.boxes, (_, { relationships }) => relationships?.containers?.data?.length ?? 0),
  column('references', head.references, (shipment) => (shipment.ref_numbers ?? []).join(', ')),
  column('customer', head.customer, (shipment) => shipment.customer_name ?? ''),
  column('departed', head.departed, (shipment) => (
    <Moment
      at={shipment.pol_atd_at ?? shipment.pol_etd_at}
      zone={shipment.pol_timezone}
      isEstimate={!shipment.pol_atd_at}
    />
  )),
  column('answered', head.answered, (shipment) => <Moment at={shipment.line_tracking_last_succeeded_at} zone="UTC" />),
]

function Place({ name }: { name: string | null | undefined }) {
  return name ?? <Unsaid>{words.said.unknown}</Unsaid>
}

function Arrival({ shipment }: { shipment: Shipment['attributes'] }) {
  const at = shipment.pod_ata_at ?? shipment.pod_eta_at
  const slip = slipHours(at, shipment.pod_original_eta_at)
  return (
    <>
      <Moment at={at} zone={shipment.pod_timezone} isEstimate={!shipment.pod_ata_at} />
      <span className="under">
        {!shipment.pod_ata_at && at ? words.said.estimated : ''}
        {slip !== null && <span className={slip >= 24 ? 'late' : ''}> {slipWords(slip)}</span>}
      </span>
    </>
  )
}
