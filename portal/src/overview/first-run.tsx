/**
 * For the first visit: where carriers are simulated, one press tracks a dozen sample journeys; then three steps show
 * what can be proven. Sample data is marked as such and can be stopped with one press.
 */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useSay } from '../parts/said-line.tsx'
import { words } from '../words/words.ts'

interface Suggestion {
  readonly request_type: string
  readonly request_number: string
  readonly scac: string
}
const sampleTag = 'sample'
const samplesMax = 12

export function FirstRun({ isEmpty }: { isEmpty: boolean }) {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const suggested = useQuery({
    queryKey: ['/portal/suggestions'],
    queryFn: async () => {
      const answer = await connection.ask('GET', `/portal/suggestions?max=${samplesMax}`)
      return (answer as { readonly suggestions?: readonly Suggestion[] }).suggestions ?? []
    },
    enabled: isEmpty,
  })
  const start = async (): Promise<void> => {
    const data = (suggested.data ?? []).map(({ request_type, request_number, scac }) => ({
      type: 'tracking_request',
      attributes: { request_type, request_number, scac, shipment_tags: [sampleTag] },
    }))
    try {
      await connection.ask('POST', '/v2/tracking_requests/batch', { data })
      await queries.invalidateQueries()
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
  }
  if (!isEmpty) return <Samples />
  return (
    <section className="first-run panel" aria-label={words.overview.firstTitle}>
      <h2>{words.overview.firstTitle}</h2>
      {(suggested.data?.length ?? 0) > 0 && (
        <>
          <p>{words.overview.firstAbout}</p>
          <button type="button" className="primary" onClick={() => void start()}>
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

/** Shown as long as sample shipments are tracked. */
function Samples() {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const [isAsking, setAsking] = useState(false)
  const found = useRead('/v2/shipments', {
    query: { 'filter[tags]': sampleTag, 'filter[tracking_stopped]': false, 'page[size]': 100 },
  })
  const samples = found.data?.data ?? []
  const first = samples[0]
  if (first === undefined) return null
  const stop = async (): Promise<void> => {
    try {
      await connection.ask('POST', '/v2/shipments/batch/stop_tracking', {
        data: samples.map(({ id }) => ({ type: 'shipment', id })),
      })
      await queries.invalidateQueries()
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
  }
  const at = { to: '/shipments/$shipmentId', params: { shipmentId: first.id } } as const
  return (
    <section className="samples" aria-label={words.overview.steps}>
      <p>
        <strong>{words.overview.sample}</strong>{' '}
        <button type="button" className="link" onClick={() => setAsking(true)}>
          {words.overview.sampleForget}
        </button>
      </p>
      <ol>
        <li>
          <Link {...at}>{words.overview.stepWho}</Link>
          <span>{words.overview.stepWhoAbout}</span>
        </li>
        <li>
          <Link {...at} hash="past">
            {words.overview.stepPast}
          </Link>
          <span>{words.overview.stepPastAbout}</span>
        </li>
        <li>
          <Link to="/developers/$part" params={{ part: 'webhooks' }}>
            {words.overview.stepReplay}
          </Link>
          <span>{words.overview.stepReplayAbout}</span>
        </li>
      </ol>
      {isAsking && (
        <Confirm
          title={words.overview.sampleForgetAsk}
          about={words.overview.sampleForgetAbout}
          yes={words.overview.sampleForget}
          onYes={() => void stop()}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}
