/** What the account uses: requests of the last minute against each limit, and counts by month. */

import { useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { developerWords } from '../words/developers.ts'
import { plain } from '../words/names.ts'

const words = developerWords.usage
const everyMs = 15_000
const megabyte = 1_000_000

export function UsagePart() {
  const found = useRead('/v2/usage', { everyMs })
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  const { limits = [], months = [] } = found.data.data.attributes
  return (
    <>
      <Panel title={words.limits}>
        <p className="quiet">{words.limitsAbout}</p>
        <dl className="facts">
          {limits.map(({ bucket, limit_per_minute: limit, used_last_minute: used }) => (
            <div key={bucket}>
              <dt>{plain(bucket)}</dt>
              <dd>
                {limit === null ? (
                  words.noLimit
                ) : (
                  <>
                    <progress aria-label={plain(bucket)} max={limit} value={used ?? 0} />{' '}
                    {used === null ? words.unknown : words.used(used, limit)}
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
      <Panel title={words.months}>
        <Table label={words.months} columns={words.columns}>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">
                {month.month}
                {!month.is_complete && <span className="under">{words.incomplete}</span>}
              </th>
              <td>{month.tracking_requests.toLocaleString('en')}</td>
              <td>{month.shipments.toLocaleString('en')}</td>
              <td>{month.containers.toLocaleString('en')}</td>
              <td>{month.events.toLocaleString('en')}</td>
              <td>{month.deliveries.toLocaleString('en')}</td>
              <td>
                {month.documents.toLocaleString('en')} ({(month.document_bytes / megabyte).toFixed(1)} MB)
              </td>
            </tr>
          ))}
        </Table>
      </Panel>
    </>
  )
}
