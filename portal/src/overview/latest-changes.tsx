/** The newest events of the account, as subscribers of webhooks hear them. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { useConnection } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { eventWords } from '../words/names.ts'
import { words } from '../words/words.ts'

const shownMax = 12
type Feed = AnswerOf<'/v2/events'>

export function LatestChanges() {
  const connection = useConnection()
  const found = useQuery({
    queryKey: ['/v2/events', 'latest'],
    queryFn: async (): Promise<Feed> => {
      const newest = await connection.read('/v2/events', { query: { limit: 1 } })
      const last = (newest.meta as { last_sequence?: number } | undefined)?.last_sequence ?? 0
      return connection.read('/v2/events', {
        query: { after: Math.max(0, last - shownMax), include: 'container,shipment' },
      })
    },
  })
  const events = [...(found.data?.data ?? [])].reverse()
  const joined = found.data === undefined ? null : new Joined(found.data)
  return (
    <Panel
      title={words.overview.latest}
      aside={
        <Link to="/developers/$part" params={{ part: 'events' }}>
          {words.list.all}
        </Link>
      }
    >
      {found.data !== undefined && events.length === 0 && <p className="quiet">{words.overview.latestNone}</p>}
      <ol className="latest">
        {events.map(({ id, attributes, relationships }) => {
          const shipment = joined?.one(relationships?.shipment)
          const box = joined?.one(relationships?.container)
          const number = box?.attributes.number ?? shipment?.attributes.bill_of_lading_number
          return (
            <li key={id}>
              <span>{eventWords(attributes.event ?? '')}</span>{' '}
              {shipment && (
                <Link to="/shipments/$shipmentId" params={{ shipmentId: shipment.id }} className="number">
                  {number}
                </Link>
              )}{' '}
              <span className="quiet">
                <Moment at={attributes.created_at} zone="UTC" />
              </span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
