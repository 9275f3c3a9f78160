/** The account's work: what is under way with its rate and remaining time, what waits, and what was tried in vain. */

import type { Job } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { eventWords } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import './jobs.css'
import { Table } from './table.tsx'

const words = operateWords.jobs
const everyMs = 10_000

export function JobsPart() {
  const found = useRead('/v2/jobs', { everyMs })
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  const jobs = found.data?.data ?? []
  const courses = jobs.filter(({ attributes }) => attributes.started_at)
  const queues = jobs.filter(({ attributes }) => !attributes.started_at)
  if (found.data === undefined) return <Reading />
  return (
    <>
      <p className="quiet">{words.about}</p>
      <Panel title={words.course}>
        {found.data !== undefined && courses.length === 0 && <p className="quiet">{words.courseNone}</p>}
        {courses.map((job) => (
          <Course key={job.id} job={job} />
        ))}
      </Panel>
      <Panel title={words.queue}>
        <Table label={words.queue} columns={words.columns}>
          {queues.map((job) => (
            <Queue key={job.id} job={job} />
          ))}
        </Table>
      </Panel>
    </>
  )
}

function Course({ job: { attributes } }: { job: Job }) {
  const { kind = '', name, done, total, per_minute: rate, remaining_seconds: left, failing = 0 } = attributes
  const label = words.kinds[kind] ?? kind
  const about = [
    words.progress(done ?? 0, total ?? null),
    ...(typeof rate === 'number' ? [words.rate(rate)] : []),
    typeof left === 'number' ? words.left(left) : words.leftUnknown,
  ]
  return (
    <div className="job">
      <p>
        <strong>{label}</strong> {name}{' '}
        <span className="quiet">
          {words.began} <Moment at={attributes.started_at} zone="UTC" />
        </span>
      </p>
      {typeof total === 'number' && <progress aria-label={label} max={total} value={done ?? 0} />}
      <p className="under">{about.join(' · ')}</p>
      {failing > 0 && <p className="under fault">{words.failed(failing)}</p>}
    </div>
  )
}

function Queue({ job: { attributes } }: { job: Job }) {
  const { kind = '', waiting, waiting_is_more: isMore, failing = 0, failures = [] } = attributes
  const count = waiting ?? 0
  return (
    <tr>
      <th scope="row">{words.kinds[kind] ?? kind}</th>
      <td>{isMore ? words.more(count) : count === 0 ? <span className="quiet">{words.nothing}</span> : count}</td>
      <td>
        {attributes.oldest_waiting_at ? (
          <Moment at={attributes.oldest_waiting_at} zone="UTC" />
        ) : (
          <span className="quiet">{count > 0 ? words.noTime : '–'}</span>
        )}
      </td>
      <td>
        {failing === 0 ? (
          <span className="quiet">{words.nothing}</span>
        ) : (
          <details>
            <summary className="fault">{words.failed(failing)}</summary>
            <ul className="plain-list">
              {failures.map((each) => (
                <li key={`${each.id} ${each.attempts}`}>
                  {each.name === null ? each.id : eventWords(each.name)}: {words.reasons[each.reason] ?? each.reason}
                  {each.detail !== null && ` (${each.detail})`}
                  <span className="under">
                    {words.attempts(each.attempts)}
                    {each.next_attempt_at !== null && (
                      <>
                        , {words.next} <Moment at={each.next_attempt_at} zone="UTC" />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </td>
    </tr>
  )
}
