/** Every statement of every source about a container. Those that were withdrawn later are marked. */

import type { RawEvent, TransportEvent } from '../../../sdk/typescript/src/description.generated.ts'
import { Moment } from '../parts/moment.tsx'
import { plain, sourceWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function StatementTable(props: { statements: readonly RawEvent[]; events: readonly TransportEvent[] }) {
  const believed = new Set(props.events.flatMap(({ relationships }) => sourceEventOf(relationships) ?? []))
  const sorted = [...props.statements].sort((a, b) => (a.attributes.index ?? 0) - (b.attributes.index ?? 0))
  return (
    <details className="panel statements">
      <summary>
        <h2>
          {words.statements} ({sorted.length})
        </h2>
      </summary>
      <p className="quiet">{words.statementsAbout}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <section className="scroll" aria-label={words.statements} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {words.statementColumns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((statement) => (
              <Row key={statement.id} statement={statement} isBelieved={believed.has(statement.id)} />
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

function sourceEventOf(relationships: object | undefined): string | null {
  const named = relationships as { source_event?: { data?: { id: string } | null } } | undefined
  return named?.source_event?.data?.id ?? null
}

function Row({ statement: { attributes: said }, isBelieved }: { statement: RawEvent; isBelieved: boolean }) {
  const isDay = !said.actual_at && !said.estimated_at
  const ship = [said.vessel_name ?? said.vessel_imo, said.voyage_number].filter(Boolean).join(' · ')
  return (
    <tr className={said.invalidated_at ? 'withdrawn' : isBelieved ? 'believed' : ''}>
      <td>
        {said.event ? plain(said.event) : words.noMilestone}
        {said.estimated && <span className="estimate-word">{words.estimated}</span>}{' '}
        {said.original_event && <code>{said.original_event}</code>}
      </td>
      <td>
        <Moment at={said.timestamp} zone={said.timezone} isDay={isDay} isEstimate={said.estimated ?? false} />
      </td>
      <td>
        {said.location_name} {said.location_locode && <span className="code">{said.location_locode}</span>}
      </td>
      <td>{ship}</td>
      <td>
        {said.data_provider_name} <span className="quiet">{sourceWords(said.data_source)}</span>
      </td>
      <td>
        <Moment at={said.created_at} zone="reader" />
      </td>
      <td>
        {said.invalidated_at ? (
          <>
            {words.takenBack} <Moment at={said.invalidated_at} zone="reader" />
          </>
        ) : isBelieved ? (
          words.restsOn
        ) : (
          words.notNeeded
        )}
      </td>
    </tr>
  )
}
