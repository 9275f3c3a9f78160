/** Marks sample data as such, leads in three steps through what can be proven, and stops the samples with one press. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import { words } from '../words/words.ts'

export const sampleTag = 'sample'

export function useSamples() {
  return useRead('/v2/shipments', {
    query: { 'filter[tags]': sampleTag, 'filter[tracking_stopped]': false, 'page[size]': 100 },
  })
}

/** Shown as long as sample shipments are tracked. */
export function Samples() {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const samples = useSamples().data?.data ?? []
  // The one whose arrival moved shows most of what is proven.
  const first =
    samples.find(
      ({ attributes }) => attributes.pod_eta_at && attributes.pod_eta_at !== attributes.pod_original_eta_at,
    ) ?? samples[0]
  if (first === undefined) return null
  const stop = (): Promise<boolean> => {
    const data = samples.map(({ id }) => ({ type: 'shipment', id }))
    const path = '/v2/shipments/batch/stop_tracking'
    return act(() => connection.ask('POST', path, { data }), words.list.done(samples.length))
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
