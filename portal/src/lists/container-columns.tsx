/** The columns of the list of containers. What no source has said is never shown as "none". */

import { Link } from '@tanstack/react-router'
import type { ColumnDef } from '@tanstack/react-table'
import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { Badge } from '../parts/badge.tsx'
import { Fees, FreeTime, Holds } from '../parts/box-facts.tsx'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'

const { head } = words.list

export const containerColumnsAtFirst = ['number', 'status', 'lfd', 'available', 'holds', 'fees', 'appointment']

const column = (
  id: string,
  header: string,
  cell: (container: Container['attributes'], row: Container) => React.ReactNode,
): ColumnDef<Container> => ({ id, header, cell: ({ row }) => cell(row.original.attributes, row.original) })

export const containerColumns: ColumnDef<Container>[] = [
  column('number', head.number, (box, { relationships }) => {
    const shipmentId = relationships?.shipment?.data?.id
    return shipmentId === undefined ? (
      <span className="number">{box.number}</span>
    ) : (
      <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={{ box: box.number ?? '' }} className="number">
        {box.number}
      </Link>
    )
  }),
  column('status', head.status, (box) => <Badge said={statusWords(box.current_status)} />),
  column('lfd', head.lfd, (box) => <FreeTime box={box} />),
  column('available', head.available, (box) =>
    box.availability_known !== true ? <Unsaid /> : box.available_for_pickup === true ? words.list.yes : words.list.no,
  ),
  column('holds', head.holds, (_, row) => <Holds box={row} />),
  column('fees', head.fees, (_, row) => <Fees box={row} />),
  column('appointment', head.appointment, (box) => <Moment at={box.pickup_appointment_at} zone={box.pod_timezone} />),
  column('equipment', head.equipment, (box) =>
    box.equipment_type ? `${box.equipment_length ?? '?'} ft ${box.equipment_type}` : <Unsaid />,
  ),
]
