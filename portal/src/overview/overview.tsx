/** The first page: what needs attention, how many shipments stand where, and what happened last. */

import { Link } from '@tanstack/react-router'
import { totalOf, useRead } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { statusWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { AttentionList, useAttention } from './attention-list.tsx'
import { FirstRun } from './first-run.tsx'
import { LatestChanges } from './latest-changes.tsx'
import './overview.css'
import { useSamples } from './samples.tsx'

const cards = [
  ['pending', words.overview.waiting],
  ['in_transit', words.overview.under],
  ['arrived', words.overview.arrived],
  ['picked_up,completed', words.overview.done],
] as const

export function Overview() {
  const all = useRead('/v2/shipments', { query: { 'page[size]': 1 } })
  // Nothing moves when these come.
  const [samples, attention] = [useSamples(), useAttention()]
  if (all.error !== null) return <ProblemNote error={all.error} again={() => void all.refetch()} />
  if (all.data === undefined || samples.isPending || attention.isPending) return <Reading />
  return (
    <div className="overview">
      <h1 className="unseen">{words.overview.title}</h1>
      <FirstRun isEmpty={totalOf(all.data) === 0} />
      {totalOf(all.data) !== 0 && (
        <>
          <ul className="cards">
            {cards.map(([status, label]) => (
              <Card key={status} status={status} label={label} />
            ))}
          </ul>
          <div className="two-columns">
            <AttentionList />
            <LatestChanges />
          </div>
        </>
      )}
    </div>
  )
}

function Card({ status, label }: { status: string; label: string }) {
  const found = useRead('/v2/shipments', { query: { 'filter[status]': status, 'page[size]': 1 } })
  const [, tone] = statusWords(status.split(',')[0])
  return (
    <li>
      <Link to="/shipments" search={{ status }} className={`card ${tone}`}>
        <strong>{totalOf(found.data)?.toLocaleString('en') ?? '…'}</strong>
        <span>{label}</span>
      </Link>
    </li>
  )
}
