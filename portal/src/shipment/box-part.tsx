/** One container: its journey, what is needed to pick it up, and everything that was ever stated about it. */

import { Joined } from '../api/joined.ts'
import { useRead } from '../api/queries.ts'
import { ChargesPanel } from '../charges/charges-panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { words as common } from '../words/words.ts'
import { BoxFacts } from './box-facts-part.tsx'
import { CustomFields } from './custom-fields.tsx'
import { PeopleState } from './people-state.tsx'
import { StatementTable } from './statement-table.tsx'
import { Timeline } from './timeline.tsx'
import { movesOf } from './timeline-steps.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

export function BoxPart({ boxId }: { boxId: string }) {
  const { asOf } = useShipmentAddress()
  const found = useRead('/v2/containers/{id}', {
    ids: [boxId],
    query: { include: 'pod_terminal,raw_events', as_of: asOf, provenance: true },
    keepsLast: true,
  })
  const events = useRead('/v2/containers/{id}/transport_events', {
    ids: [boxId],
    query: {
      include: 'location,vessel,terminal,source_event,previous_version.previous_version',
      as_of: asOf,
      provenance: true,
      'page[size]': 100,
    },
    keepsLast: true,
  })
  // The route is known as it is now, not as it was known before.
  const route = useRead('/v2/containers/{id}/route', {
    ids: [boxId],
    query: { include: 'port,vessel,route_location' },
    isOn: asOf === null,
  })
  const error = found.error ?? events.error
  if (error !== null) return <ProblemNote error={error} again={() => void found.refetch()} />
  if (found.data === undefined || events.data === undefined) return <p className="quiet">{common.reading}</p>
  const joined = new Joined(found.data)
  const box = found.data.data
  return (
    <section className="box-part" aria-label={box.attributes.number}>
      <div className="two-columns journey-columns">
        <Timeline
          events={events.data.data}
          joined={new Joined(events.data)}
          moves={asOf === null && route.data !== undefined ? movesOf(route.data) : []}
        />
        <div>
          <BoxFacts box={box} terminal={joined.one(box.relationships?.pod_terminal)} />
          <ChargesPanel boxId={box.id} asOf={asOf} />
          <CustomFields of="containers" id={box.id} />
          <PeopleState boxId={box.id} />
        </div>
      </div>
      <StatementTable statements={joined.many(box.relationships?.raw_events)} events={events.data.data} />
    </section>
  )
}
