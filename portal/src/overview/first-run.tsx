/**
 * For the first visit, where carriers are simulated: a dozen sample journeys are tracked, by themselves for a person who
 * has just signed in, with one press for a key. Then three steps show what can be proven.
 */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { totalOf, useConnection, useRead } from '../api/queries.ts'
import { Reading } from '../parts/reading.tsx'
import { useSay } from '../parts/said-line.tsx'
import { words } from '../words/words.ts'
import { Samples, sampleTag } from './samples.tsx'

interface Suggestion {
  readonly request_type: string
  readonly request_number: string
  readonly scac: string
}

const everyMs = 2_000

/** How many numbers the lines have answered for. `expected`: the samples, which are requested one after the other. */
function Asking({ requested, expected }: { requested: number; expected: number }) {
  const query = { 'page[size]': 1, 'filter[status]': 'pending' } as const
  const pending = useRead('/v2/tracking_requests', { query, everyMs })
  const answered = Math.max(0, requested - (totalOf(pending.data) ?? requested))
  const total = Math.max(requested, expected)
  return (
    <p className="asking" role="status">
      {words.overview.asking(answered, total)}
      <progress value={answered} max={total} aria-label={words.overview.title} />
    </p>
  )
}

export function FirstRun({ isEmpty }: { isEmpty: boolean }) {
  return isEmpty ? <Nothing /> : <Samples />
}

function Nothing() {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const hasBegun = useRef(false)
  const asked = useRead('/v2/tracking_requests', { query: { 'page[size]': 1 }, everyMs })
  const suggested = useQuery({
    queryKey: ['/portal/suggestions'],
    queryFn: async () => {
      const answer = await connection.ask('GET', '/portal/suggestions')
      return (answer as { readonly suggestions?: readonly Suggestion[] }).suggestions ?? []
    },
  })
  const samples = suggested.data ?? []
  const start = useCallback(
    async (wanted: readonly Suggestion[]): Promise<void> => {
      if (hasBegun.current) return
      hasBegun.current = true
      const data = wanted.map(({ request_type, request_number, scac }) => ({
        type: 'tracking_request',
        attributes: { request_type, request_number, scac, shipment_tags: [sampleTag] },
      }))
      try {
        await connection.ask('POST', '/v2/tracking_requests/batch', { data })
        await queries.invalidateQueries()
      } catch (error) {
        hasBegun.current = false
        say(error instanceof Error ? error.message : String(error))
      }
    },
    [connection, queries, say],
  )
  // Only if no request was ever made: a person who has stopped the samples does not get them again.
  const isFirstVisit = connection.credentials.kind === 'session' && totalOf(asked.data) === 0
  useEffect(() => {
    if (isFirstVisit && suggested.data !== undefined && suggested.data.length > 0) void start(suggested.data)
  }, [isFirstVisit, suggested.data, start])
  const requested = totalOf(asked.data) ?? 0
  if (requested === 0 && (asked.data === undefined || suggested.isPending)) return <Reading />
  if (requested > 0 || (isFirstVisit && samples.length > 0))
    return (
      <section className="first-run panel" aria-label={words.overview.title}>
        <Asking requested={requested} expected={samples.length} />
      </section>
    )
  return (
    <section className="first-run panel" aria-label={words.overview.firstTitle}>
      <h2>{words.overview.firstTitle}</h2>
      {samples.length > 0 && (
        <>
          <p>{words.overview.firstAbout}</p>
          <button type="button" className="primary" onClick={() => void start(samples)}>
            {words.overview.firstRun}
          </button>
        </>
      )}
      <p>{words.overview.firstReal}</p>
      <Link to="/track" className="button">
        {words.overview.firstOwn}
      </Link>
    </section>
  )
}
