/** A container's journey as a table, one line an event: planned, expected, happened, and by whom, place by place. */

import type { TransportEvent } from '../../../sdk/typescript/src/description.generated.ts'
import type { Joined } from '../api/joined.ts'
import { dayOf, Moment } from '../parts/moment.tsx'
import { localParts, shownZone } from '../parts/time.ts'
import { eventWords, isEstimate } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { codeOf, keyOf, type Move, type Step, type StepIs, stepsOf } from './timeline-steps.ts'
import { type Provenance, WhoSaid } from './who-said.tsx'

interface Time {
  readonly at: string
  readonly zone: string | null | undefined
  readonly isDay: boolean
}
const columns = ['planned', 'estimated', 'actual'] as const
type Times = Partial<Record<StepIs, Time>>

interface Row {
  readonly key: string
  readonly name: string
  readonly is: StepIs
  readonly times: Times
  /** Ship, voyage and terminal. */
  readonly where: string
  /** Null: the route tells of it, and no event yet. Its proof is among the statements. */
  readonly event: TransportEvent | null
}
interface Visit {
  readonly key: string
  readonly place: string
  readonly code: string | null
  readonly rows: Row[]
}

/** First and last estimates of an event that the shipment knows, by the event's name. */
export type Estimates = Readonly<Record<string, { readonly planned?: Time | null; readonly estimated?: Time | null }>>

interface JourneyTableProps {
  readonly events: readonly TransportEvent[]
  readonly joined: Joined
  /** What lies ahead by the route; empty when it is not known, or when the past is shown. */
  readonly moves: readonly Move[]
  readonly estimates: Estimates
}

export function JourneyTable({ events, joined, moves, estimates }: JourneyTableProps) {
  const visits = visitsOf(stepsOf(events, moves), joined, estimates)
  const rows = visits.flatMap((visit) => visit.rows)
  const shown = columns.filter((column) => rows.some(({ times }) => times[column] !== undefined))
  return (
    <section className="panel" aria-label={words.journey}>
      {rows.length === 0 && <p className="quiet">{words.journeyNone}</p>}
      {rows.length > 0 && (
        <table className="journey">
          <thead>
            <tr>
              <th scope="col">{words.event}</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {words.columns[column]}
                </th>
              ))}
              <th scope="col">{words.by}</th>
            </tr>
          </thead>
          {visits.map((visit) => (
            <tbody key={visit.key}>
              <tr>
                <th scope="rowgroup" className="place" colSpan={shown.length + 2} title={visit.code ?? ''}>
                  {visit.place}
                  {zoneOf(visit) && <span className="place-zone">{words.timesIn(zoneOf(visit) ?? '')}</span>}
                </th>
              </tr>
              {visit.rows.map((row) => (
                <JourneyRow
                  key={row.key}
                  row={row}
                  before={before(rows, row)}
                  hasZone={zoneOf(visit) === null}
                  columns={shown}
                  joined={joined}
                />
              ))}
            </tbody>
          ))}
        </table>
      )}
    </section>
  )
}

/** Of all times of a visit; null where they differ, or the zone is not known. */
function zoneOf({ rows }: Visit): string | null {
  const times = rows.flatMap(({ times: each }) => Object.values(each))
  const zones = new Set(times.map(({ at, zone, isDay }) => localParts(at, shownZone(zone, isDay)).zone))
  const [zone = null] = zones
  return zones.size === 1 ? zone : null
}

function before(rows: readonly Row[], row: Row): Row | null {
  return rows[rows.indexOf(row) - 1] ?? null
}

interface JourneyRowProps {
  readonly row: Row
  readonly before: Row | null
  /** The times of this place have several zones. */
  readonly hasZone: boolean
  readonly columns: readonly StepIs[]
  readonly joined: Joined
}

function JourneyRow({ row, before: above, hasZone, columns: shown, joined }: JourneyRowProps) {
  const { name, is, times, where, event } = row
  const proofs = (event?.meta?.provenance ?? {}) as Provenance
  return (
    <tr className="event">
      <th scope="row" className={is}>
        {name}
        {where !== '' && where !== above?.where && <span className="under">{where}</span>}
      </th>
      {shown.map((column) => (
        <td
          key={column}
          className={column === is ? 'main' : times[column] === undefined ? 'none' : 'beside'}
          data-label={words.columns[column]}
        >
          <TimeCell time={times[column]} above={above?.times[column]} hasZone={hasZone} />
          {column === 'actual' && is === 'actual' && event !== null && <Corrected event={event} joined={joined} />}
        </td>
      ))}
      <td className="by">
        <WhoSaid
          name={name}
          proof={proofs['timestamp'] ?? Object.values(proofs)[0]}
          zone={event?.attributes.timezone}
          hasName
        />
      </td>
    </tr>
  )
}

function TimeCell(props: { time: Time | undefined; above: Time | undefined; hasZone: boolean }) {
  const { time, above, hasZone } = props
  if (time === undefined) return null
  const isSameDay = above !== undefined && shownDay(above) === shownDay(time)
  return <Moment {...time} isSameDay={isSameDay} isSameZone={!hasZone} />
}

const shownDay = ({ at, zone, isDay }: Time): string => dayOf(at, shownZone(zone, isDay))

/** Consecutive steps at the same place are one visit. */
function visitsOf(steps: readonly Step[], joined: Joined, estimates: Estimates): readonly Visit[] {
  const visits: Visit[] = []
  for (const step of steps) {
    const code = codeOf(step)
    const named =
      step.kind === 'move' ? step.move.place : joined.one(step.event.relationships?.location)?.attributes.name
    const row = rowOf(step, joined, estimates)
    const last = visits.at(-1)
    if (last !== undefined && (code === null || last.code === code)) last.rows.push(row)
    else visits.push({ key: keyOf(step), place: named ?? code ?? words.placeUnknown, code, rows: [row] })
  }
  return visits
}

function rowOf(step: Step, joined: Joined, estimates: Estimates): Row {
  if (step.kind === 'move') {
    const { move } = step
    const { at, zone, isDay, is } = move
    return {
      key: keyOf(step),
      name: eventWords(`container.transport.estimated.${move.event}`),
      is,
      times: { [is]: { at, zone, isDay } },
      where: whereOf([move.vessel, voyageOf(move.voyage)]),
      event: null,
    }
  }
  const { event, is } = step
  const { attributes, relationships } = event
  const name = attributes.event ?? ''
  const known = estimates[name.replace(/^container\.transport\.(estimated\.)?/, '')]
  const time = timeOf(event, joined)
  return {
    key: keyOf(step),
    name: eventWords(name),
    is,
    times: {
      ...(known?.planned ? { planned: known.planned } : {}),
      ...(known?.estimated && is !== 'planned' ? { estimated: known.estimated } : {}),
      ...(time === null ? {} : { [is]: time }),
    },
    where: whereOf([
      joined.one(relationships?.vessel)?.attributes.name,
      voyageOf(attributes.voyage_number),
      joined.one(relationships?.terminal)?.attributes.name,
    ]),
    event,
  }
}

function voyageOf(number: string | null | undefined): string | null {
  return number ? words.voyage(number) : null
}

function whereOf(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}

/** When a source gave only a day, only the day is shown. */
function timeOf(event: TransportEvent, joined: Joined): Time | null {
  const { timestamp: at, timezone: zone } = event.attributes
  if (!at) return null
  const said = joined.one(event.relationships?.source_event)?.attributes
  const isDay =
    said !== undefined &&
    !said.actual_at &&
    !said.estimated_at &&
    Boolean(said.actual_on ?? said.estimated_on) &&
    localParts(at, zone).hour === '00:00'
  return { at, zone, isDay }
}

/** What was told before it was corrected. */
function Corrected({ event, joined }: { event: TransportEvent; joined: Joined }) {
  const earlier = joined.one(event.relationships?.previous_version)
  const { timestamp, timezone, event: name = '' } = earlier?.attributes ?? {}
  if (!timestamp || isEstimate(name)) return null
  return (
    <s className="under">
      <span className="unseen">{words.corrected}</span> <Moment at={timestamp} zone={timezone} />
    </s>
  )
}
