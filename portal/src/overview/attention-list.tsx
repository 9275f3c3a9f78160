/** What needs attention, most urgent first, with the reason; and of how much nothing is known. */

import { Link } from '@tanstack/react-router'
import type { Container, TrackingRequest } from '../api/description.generated.ts'
import { totalOf, useRead } from '../api/queries.ts'
import { FreeTime, Holds } from '../parts/box-facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { reasonWords } from '../words/names.ts'
import { words } from '../words/words.ts'

const dayMs = 86_400_000
const soonDays = 2
/** Statuses of a container that has arrived and has not left the terminal or ramp. */
const ashore = 'grounded,available,not_available,awaiting_inland_transfer,on_rail'
const day = (later: number): string => new Date(Date.now() + later * dayMs).toISOString().slice(0, 10)

export function AttentionList() {
  const limit = day(soonDays)
  const free = useRead('/v2/containers', {
    query: {
      'filter[status]': ashore,
      'filter[pickup_lfd][end]': limit,
      sort: 'pickup_lfd',
      'page[size]': 10,
    },
  })
  const held = useRead('/v2/containers', {
    query: { 'filter[status]': ashore, 'filter[has_holds]': true, 'page[size]': 10 },
  })
  const failed = useRead('/v2/tracking_requests', {
    query: { 'filter[status]': 'failed', 'page[size]': 5 },
  })
  const arrived = useRead('/v2/containers', { query: { 'filter[status]': ashore, 'page[size]': 1 } })
  const known = useRead('/v2/containers', {
    query: { 'filter[status]': ashore, 'filter[pickup_lfd][start]': '2000-01-01', 'page[size]': 1 },
  })
  const unknown = (totalOf(arrived.data) ?? 0) - (totalOf(known.data) ?? 0)
  const isEmpty = [free, held, failed].every(({ data }) => data !== undefined && data.data.length === 0)
  return (
    <Panel title={words.overview.attention}>
      {isEmpty && <p className="quiet">{words.overview.attentionNone}</p>}
      <ul className="attention">
        {free.data?.data.map((box) => (
          <Item key={`lfd ${box.id}`} box={box} tone={isOver(box) ? 'late' : 'soon'}>
            {isOver(box) ? words.overview.overdue : words.overview.freeTime}
            <FreeTime box={box.attributes} />
          </Item>
        ))}
        {held.data?.data.map((box) => (
          <Item key={`held ${box.id}`} box={box} tone="soon">
            {words.overview.held}
            <Holds box={box} />
          </Item>
        ))}
        {failed.data?.data.map((request) => (
          <Failed key={request.id} request={request} />
        ))}
      </ul>
      {known.data !== undefined && unknown > 0 && <p className="quiet">{words.overview.unknown(unknown)}</p>}
    </Panel>
  )
}

function isOver({ attributes }: Container): boolean {
  return Date.parse(attributes.pickup_lfd ?? '') + dayMs < Date.now()
}

function Item({ box, tone, children }: { box: Container; tone: string; children: React.ReactNode }) {
  const shipmentId = box.relationships?.shipment?.data?.id ?? ''
  return (
    <li className={tone}>
      <Link
        to="/shipments/$shipmentId"
        params={{ shipmentId }}
        search={{ box: box.attributes.number ?? '' }}
        className="number"
      >
        {box.attributes.number}
      </Link>
      <div>{children}</div>
    </li>
  )
}

function Failed({ request: { attributes } }: { request: TrackingRequest }) {
  const [why, what] = reasonWords(attributes.failed_reason ?? '')
  return (
    <li className="late">
      <Link to="/track" search={{ numbers: attributes.request_number ?? '' }} className="number">
        {attributes.request_number}
      </Link>
      <div>
        {words.overview.failed}: {why}. <span className="quiet">{what}</span>
      </div>
    </li>
  )
}
