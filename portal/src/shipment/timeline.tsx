/** A container's journey as a vertical line of events, grouped by place. A value that was corrected stays below. */

import type { TransportEvent } from '../../../sdk/typescript/src/description.generated.ts'
import type { Joined } from '../api/joined.ts'
import { LimitDay, Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { localParts } from '../parts/time.ts'
import { eventWords, isEstimate } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { codeOf, keyOf, type Move, type Step, type StepIs, stepsOf } from './timeline-steps.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

interface Visit {
  readonly key: string
  readonly place: string
  readonly code: string | null
  readonly steps: Step[]
}

interface TimelineProps {
  readonly events: readonly TransportEvent[]
  readonly joined: Joined
  /** What lies ahead by the route; empty when it is not known, or when the past is shown. */
  readonly moves: readonly Move[]
}

export function Timeline({ events, joined, moves }: TimelineProps) {
  const visits = visitsOf(stepsOf(events, moves), joined)
  return (
    <Panel
      title={words.journey}
      aside={
        <p className="legend quiet">
          <span className="mark actual">{words.happened}</span>
          <span className="mark estimated">{words.estimated}</span>
          <span className="mark planned">{words.planned}</span>
          <s>{words.corrected}</s>
        </p>
      }
    >
      {visits.length === 0 && <p className="quiet">{words.journeyNone}</p>}
      <ol className="visits">
        {visits.map(({ key, place, code, steps }) => (
          <li key={key}>
            <h3>
              {place} {code !== null && code !== place && <span className="code">{code}</span>}
            </h3>
            <ol className="events">
              {steps.map((step) =>
                step.kind === 'event' ? (
                  <Row key={step.event.id} event={step.event} is={step.is} joined={joined} />
                ) : (
                  <AheadRow key={step.move.key} move={step.move} />
                ),
              )}
            </ol>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Consecutive steps at the same place are one visit. */
function visitsOf(steps: readonly Step[], joined: Joined): readonly Visit[] {
  const visits: Visit[] = []
  for (const step of steps) {
    const code = codeOf(step)
    const named =
      step.kind === 'move' ? step.move.place : joined.one(step.event.relationships?.location)?.attributes.name
    const last = visits.at(-1)
    // An event without a place (for example a deadline) belongs to the place where the container is.
    if (last !== undefined && (code === null || last.code === code)) last.steps.push(step)
    else visits.push({ key: keyOf(step), place: named ?? code ?? words.placeUnknown, code, steps: [step] })
  }
  return visits
}

/** A movement that the route tells of, and no event yet. Its proof is the statements below. */
function AheadRow({ move }: { move: Move }) {
  const where = [move.vessel, move.voyage === null ? null : words.voyage(move.voyage)].filter(Boolean)
  return (
    <li className={`event ${move.is}`}>
      <span className="at">
        <Moment at={move.at} zone={move.zone} isDay={move.isDay} isEstimate />
      </span>
      <div className="what">
        <p className="name">
          {eventWords(`container.transport.estimated.${move.event}`)}
          <span className="estimate-word">{words[move.is]}</span>
        </p>
        {where.length > 0 && <p className="quiet">{where.join(' · ')}</p>}
      </div>
    </li>
  )
}

function Row({ event, is, joined }: { event: TransportEvent; is: StepIs; joined: Joined }) {
  const { attributes, relationships } = event
  const name = attributes.event ?? ''
  const where = [
    joined.one(relationships?.vessel)?.attributes.name,
    attributes.voyage_number ? words.voyage(attributes.voyage_number) : null,
    joined.one(relationships?.terminal)?.attributes.name,
  ].filter(Boolean)
  const proofs = (event.meta?.provenance ?? {}) as Provenance
  return (
    <li className={`event ${is}`}>
      <span className="at">
        <TimeOf event={event} joined={joined} />
      </span>
      <div className="what">
        <p className="name">
          {eventWords(name)}
          {attributes.value && (
            <>
              {': '}
              <ValueOf event={event} />
            </>
          )}
          {is !== 'actual' && <span className="estimate-word">{words[is]}</span>}
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
  return <Moment at={at} zone={attributes.timezone} isDay={isDay} isEstimate={isEstimate(attributes.event ?? '')} />
}

/** A deadline's value is an instant on the wire, and a day to people. */
function ValueOf({ event: { attributes } }: { event: TransportEvent }) {
  const { value, event: name = '', timezone } = attributes
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return <>{String(value)}</>
  return name.startsWith('container.pickup_lfd') ? (
    <LimitDay at={value} zones={[timezone]} />
  ) : (
    <Moment at={value} zone={timezone} />
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
