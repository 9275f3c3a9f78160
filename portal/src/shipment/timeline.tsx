/** A container's journey as a vertical line of events, grouped by place. A value that was corrected stays below. */

import type { TransportEvent } from '../api/description.generated.ts'
import type { Joined } from '../api/joined.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { localParts } from '../parts/time.ts'
import { eventWords, isEstimate } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

interface Visit {
  readonly key: string
  readonly place: string
  readonly code: string | null
  readonly events: TransportEvent[]
}

export function Timeline({ events, joined }: { events: readonly TransportEvent[]; joined: Joined }) {
  const visits = visitsOf(events, joined)
  return (
    <Panel
      title={words.journey}
      aside={
        <p className="legend quiet">
          <span className="mark actual">{words.happened}</span>
          <span className="mark estimated">{words.estimated}</span>
          <s>{words.corrected}</s>
        </p>
      }
    >
      {visits.length === 0 && <p className="quiet">{words.journeyNone}</p>}
      <ol className="visits">
        {visits.map(({ key, place, code, events: here }) => (
          <li key={key}>
            <h3>
              {place} {code !== null && code !== place && <span className="code">{code}</span>}
            </h3>
            <ol className="events">
              {here.map((event) => (
                <Row key={event.id} event={event} joined={joined} />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Consecutive events at the same place are one visit. */
function visitsOf(events: readonly TransportEvent[], joined: Joined): readonly Visit[] {
  const visits: Visit[] = []
  for (const event of events) {
    const code = event.attributes.location_locode ?? null
    const location = joined.one(event.relationships?.location)
    const place = location?.attributes.name ?? code ?? words.placeUnknown
    const last = visits.at(-1)
    // An event without a place (for example a deadline) belongs to the place where the container is.
    if (last !== undefined && (code === null || last.code === code)) last.events.push(event)
    else visits.push({ key: event.id, place, code, events: [event] })
  }
  return visits
}

function Row({ event, joined }: { event: TransportEvent; joined: Joined }) {
  const { attributes, relationships } = event
  const name = attributes.event ?? ''
  const estimated = isEstimate(name)
  const where = [
    joined.one(relationships?.vessel)?.attributes.name,
    attributes.voyage_number ? words.voyage(attributes.voyage_number) : null,
    joined.one(relationships?.terminal)?.attributes.name,
  ].filter(Boolean)
  const proofs = (event.meta?.provenance ?? {}) as Provenance
  return (
    <li className={`event ${estimated ? 'estimated' : 'actual'}`}>
      <span className="at">
        <TimeOf event={event} joined={joined} />
      </span>
      <div className="what">
        <p className="name">
          {eventWords(name)}
          {attributes.value ? `: ${attributes.value}` : ''}
          {estimated && <span className="estimate-word">{words.estimated}</span>}
        </p>
        {where.length > 0 && <p className="quiet">{where.join(' · ')}</p>}
        <WhoSaid name={eventWords(name)} proof={proofs['timestamp'] ?? Object.values(proofs)[0] ?? null} />
        <Earlier event={event} joined={joined} />
      </div>
    </li>
  )
}

/** When a source gave only a day, only the day is shown. */
function TimeOf({ event, joined }: { event: TransportEvent; joined: Joined }) {
  const { attributes, relationships } = event
  // The time of an event about a deadline is the deadline itself, so the time at which it was received counts.
  const isDeadline = attributes.event?.startsWith('container.pickup_') === true
  const at = isDeadline ? attributes.created_at : attributes.timestamp
  const said = joined.one(relationships?.source_event)?.attributes
  const isDay =
    said !== undefined &&
    !said.actual_at &&
    !said.estimated_at &&
    Boolean(said.actual_on ?? said.estimated_on) &&
    Boolean(at) &&
    localParts(at ?? '', attributes.timezone).hour === '00:00'
  return (
    <Moment
      at={at}
      zone={attributes.timezone}
      isDay={isDay}
      isEstimate={isEstimate(attributes.event ?? '')}
    />
  )
}

function Earlier({ event, joined }: { event: TransportEvent; joined: Joined }) {
  const before = joined.one(event.relationships?.previous_version)
  if (before === null) return null
  const { timestamp, timezone, location_locode: code, invalidated_at: since } = before.attributes
  return (
    <div className="earlier">
      <s>
        <Moment at={timestamp} zone={timezone} />
        {code !== event.attributes.location_locode && ` ${code}`}
      </s>{' '}
      <span className="quiet">
        {words.replaced} {since && <Moment at={since} zone="UTC" />}
      </span>
      <Earlier event={before} joined={joined} />
    </div>
  )
}
