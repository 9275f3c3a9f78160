/** The journey as a line of ports: what has happened, where the cargo is now, and what lies ahead. */

import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import type { AnswerOf } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { Moment } from '../parts/moment.tsx'
import { shipmentWords as words } from '../words/shipment.ts'
import { words as common } from '../words/words.ts'

interface Time {
  readonly at: string | null | undefined
  readonly hasHappened: boolean
  /** Only a plan, or only a day. */
  readonly is?: 'estimated' | 'planned'
  readonly isDay?: boolean
}
export interface Stop {
  readonly name: string | null | undefined
  readonly code: string | null | undefined
  readonly zone: string | null | undefined
  readonly arrives: Time
  readonly leaves: Time
}

export function PortLine({ stops }: { stops: readonly Stop[] }) {
  return (
    <ol className="port-line" aria-label={common.list.head.route}>
      {stops.map((stop, index) => (
        <PortOfLine
          key={`${stop.code} ${stop.arrives.at} ${stop.leaves.at}`}
          stop={stop}
          next={stops[index + 1] ?? null}
          isFirst={index === 0}
        />
      ))}
    </ol>
  )
}

function PortOfLine({ stop, next, isFirst }: { stop: Stop; next: Stop | null; isFirst: boolean }) {
  const { name, code, zone, arrives, leaves } = stop
  const hasCome = arrives.hasHappened || leaves.hasHappened || (next?.arrives.hasHappened ?? false)
  const leg = next === null ? 'none' : next.arrives.hasHappened ? 'passed' : leaves.hasHappened ? 'now' : 'ahead'
  const isHere = hasCome && leg !== 'passed' && leg !== 'now'
  // What is over, or what comes next.
  const shown = isFirst || leaves.hasHappened ? 'leaves' : 'arrives'
  const time = stop[shown]
  return (
    <li className={`port-of-line ${isHere ? 'here' : hasCome ? 'come' : ''} leg-${leg}`}>
      <strong title={code ?? ''}>{name ?? code ?? words.placeUnknown}</strong>
      {time.at && (
        <span className="under">
          {words.line[shown][time.hasHappened ? 'actual' : (time.is ?? 'estimated')]}{' '}
          <Moment at={time.at} zone={zone} isDay={time.isDay ?? false} />
        </span>
      )}
    </li>
  )
}

/** With the ports where the cargo changes ship, as they are known now. */
export function stopsOfRoute(answer: AnswerOf<'/v2/containers/{id}/route'>): readonly Stop[] {
  const joined = new Joined(answer)
  return joined.many(answer.data.relationships?.route_locations).map(({ attributes: a, relationships, meta }) => {
    const port = joined.one(relationships?.port)?.attributes
    const time = (way: 'inbound' | 'outbound', actual?: string | null, ahead?: string | null): Time => {
      const known = meta?.[`${way}_ahead`] ?? null
      return {
        at: actual ?? ahead,
        hasHappened: Boolean(actual),
        ...(actual || known === null ? {} : { is: known.classifier, isDay: known.is_day }),
      }
    }
    return {
      name: port?.name,
      code: port !== undefined && 'code' in port ? port.code : null,
      zone: meta?.timezone,
      arrives: time('inbound', a.inbound_ata_at, a.inbound_eta_at),
      leaves: time('outbound', a.outbound_atd_at, a.outbound_etd_at),
    }
  })
}

/** For a moment of the past, and where no route is known. */
export function stopsOfShipment({ attributes: a }: Shipment): readonly Stop[] {
  const time = (actual?: string | null, ahead?: string | null): Time => ({
    at: actual ?? ahead,
    hasHappened: Boolean(actual),
  })
  const hasInland = a.destination_locode && a.destination_locode !== a.port_of_discharge_locode
  return [
    {
      name: a.port_of_lading_name,
      code: a.port_of_lading_locode,
      zone: a.pol_timezone,
      arrives: time(),
      leaves: time(a.pol_atd_at, a.pol_etd_at),
    },
    {
      name: a.port_of_discharge_name,
      code: a.port_of_discharge_locode,
      zone: a.pod_timezone,
      arrives: time(a.pod_ata_at, a.pod_eta_at),
      leaves: time(),
    },
    ...(hasInland
      ? [
          {
            name: a.destination_name,
            code: a.destination_locode,
            zone: a.destination_timezone,
            arrives: time(a.destination_ata_at, a.destination_eta_at),
            leaves: time(),
          },
        ]
      : []),
  ]
}
