/** Health of the ways in: who is asked and who sends, what was heard last, and what is wrong. */

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
                <Unsaid>{words.never}</Unsaid>
              )}
            </td>
            <td>
              {typeof source.answered_share === 'number' ? (
                words.answered(source.answered_share)
              ) : (
                <Unsaid>–</Unsaid>
              )}
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
              {source.verified === false && <span className="quiet">{words.unverified}</span>}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}

function delayOf(delay: unknown): string {
  const seconds = typeof delay === 'number' ? delay : (delay as { readonly median?: number } | null)?.median
  if (typeof seconds !== 'number') return '–'
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
