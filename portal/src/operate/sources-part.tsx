/** Health of the sources: who is asked and who sends, what came last, and what is wrong. */

import type { Source } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { plain } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import { Table } from './table.tsx'

const words = operateWords.sources

export function SourcesPart() {
  const found = useRead('/v2/sources')
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  return (
    <Panel title={operateWords.parts['sources'] ?? ''}>
      <p className="quiet">{words.about}</p>
      <Table label={operateWords.parts['sources'] ?? ''} columns={words.columns}>
        {found.data?.data.map(({ id, attributes: source }) => (
          <tr key={id}>
            <th scope="row">
              {source.name} <span className="code">{source.code}</span>
            </th>
            <td>
              {[source.asked && words.asked, source.told && words.told].filter(Boolean).join(', ')}
              <span className="under">{plain(String(source.language ?? ''))}</span>
            </td>
            <td>
              {source.last_heard_at ? (
                <Moment at={source.last_heard_at} zone="UTC" />
              ) : (
                <span className="unsaid">{words.never}</span>
              )}
            </td>
            <td>
              <Answers source={source} />
            </td>
            <td>
              <Coverage source={source} />
            </td>
            <td>
              <Budget source={source} />
            </td>
            <td>{delayOf(source.news_delay_seconds)}</td>
            <td>
              {source.enabled === false && <span className="quiet">{words.off} </span>}
              {source.left_alone_until && (
                <span className="fault">
                  {words.left} <Moment at={source.left_alone_until} zone="UTC" />{' '}
                </span>
              )}
              {(source.failures_in_a_row ?? 0) > 0 && (
                <span className="fault">{words.failures(source.failures_in_a_row ?? 0)}</span>
              )}
              {source.trouble && <span className="fault">{source.trouble} </span>}
              {source.verified === false && <span className="quiet">{words.unverified}</span>}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}

type Attributes = Source['attributes']

/** How often a question was answered, and how much of the answers was understood. */
function Answers({
  source: { answered_share: share, recent_answers: recent, contradictions },
}: {
  source: Attributes
}) {
  return (
    <>
      {typeof share === 'number' ? words.answered(share) : <Unsaid />}
      {recent && <span className="under">{words.understood(recent.events_understood, recent.events)}</span>}
      {(contradictions ?? 0) > 0 && <span className="under">{words.contradicted(contradictions ?? 0)}</span>}
    </>
  )
}

/** Of the milestones that a journey has, how many are known, and how many of them by this source. */
function Coverage({ source: { milestones } }: { source: Attributes }) {
  if (!milestones) return <Unsaid />
  return (
    <>
      {words.known(milestones.known_share)}
      <span className="under">{words.ownShare(milestones.own_share, milestones.boxes)}</span>
    </>
  )
}

function Budget({ source: { requests } }: { source: Attributes }) {
  if (!requests) return <Unsaid />
  const { today, ceiling_per_day: ceiling, this_month: month } = requests
  return (
    <>
      {ceiling === null ? today.toLocaleString('en') : words.ofCeiling(today, ceiling)}
      <span className="under">{words.thisMonth(month)}</span>
    </>
  )
}

function delayOf(delay: unknown): string {
  const seconds = typeof delay === 'number' ? delay : (delay as { readonly median?: number } | null)?.median
  if (typeof seconds !== 'number') return '–'
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
