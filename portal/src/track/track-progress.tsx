/** How far the tracked numbers are: which lines have answered, what failed and what to do about it. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrackingRequest, TrackingRequestBatch } from '../../../sdk/typescript/src/description.generated.ts'
import type { AnswerOf } from '../api/connection.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { reasonWords, requestStatusWords } from '../words/names.ts'
import { trackWords as words } from '../words/track.ts'

/** A batch with the numbers that were sent, in the order of its items. */
export interface Batch extends TrackingRequestBatch {
  readonly numbers: readonly string[]
}
const pageSize = 100
const everyMs = 2_000

export function TrackProgress({ batch, onAgain }: { batch: Batch; onAgain: () => void }) {
  const now = useRead('/v2/tracking_requests/batch/{id}', { ids: [batch.id], everyMs })
  const items = now.data?.data.attributes.items ?? batch.attributes.items ?? []
  const requests = useRequestsOf(batch)
  const byId = new Map(requests.map((request) => [request.id, request]))
  const rows = batch.numbers.map((number, index) => {
    const item = items[index]
    return { number, item, request: byId.get(item?.tracking_request_id ?? '') ?? null }
  })
  const refused = rows.filter(({ item }) => item?.status === 'refused').length
  const settled = rows.filter(({ request }) => request !== null && request.attributes.status !== 'pending').length
  return (
    <section className="panel" aria-label={words.progress}>
      <p role="status">{words.answered(settled + refused, rows.length)}</p>
      <progress aria-label={words.progress} max={rows.length} value={settled + refused} />
      <div className="scroll">
        <table className="numbers">
          <tbody>
            {rows.map(({ number, item, request }) => (
              <tr key={number}>
                <th scope="row" className="number">
                  {number}
                </th>
                <td>{request?.attributes.scac ?? ''}</td>
                <td>
                  <State errors={item?.errors ?? []} request={request} />
                </td>
                <td>
                  <OpenLink request={request} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="buttons">
        <Link to="/shipments" className="button">
          {words.all}
        </Link>
        <button type="button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </section>
  )
}

/** The requests that were made since the batch; enough pages for all of them. */
function useRequestsOf(batch: Batch): readonly TrackingRequest[] {
  const connection = useConnection()
  const found = useQuery({
    queryKey: ['/v2/tracking_requests', 'batch', batch.id],
    queryFn: async () => {
      const pages = Math.ceil(batch.numbers.length / pageSize)
      const read = (page: number): Promise<AnswerOf<'/v2/tracking_requests'>> =>
        connection.read('/v2/tracking_requests', {
          query: { 'page[size]': pageSize, 'page[number]': page + 1, include: 'tracked_object' },
        })
      const answers = await Promise.all(Array.from({ length: pages }, (_, page) => read(page)))
      return answers.flatMap(({ data }) => data)
    },
    refetchInterval: ({ state }) =>
      state.data?.every(({ attributes }) => attributes.status !== 'pending') === true ? false : everyMs,
  })
  return found.data ?? []
}

function State(props: {
  errors: readonly { readonly detail: string; readonly code: string }[]
  request: TrackingRequest | null
}) {
  const [error] = props.errors
  if (error !== undefined) return <span className="fault">{error.detail}</span>
  const { request } = props
  if (request === null) return <span className="quiet">{words.sending}</span>
  const { status, failed_reason: reason } = request.attributes
  if (!reason || status !== 'failed') return <Badge said={requestStatusWords(status)} />
  const [why, what] = reasonWords(reason)
  return (
    <>
      <span className="fault">{why}.</span> {what}
    </>
  )
}

function OpenLink({ request }: { request: TrackingRequest | null }) {
  const shipmentId = request?.relationships?.tracked_object?.data?.id
  if (shipmentId === undefined) return null
  return (
    <Link to="/shipments/$shipmentId" params={{ shipmentId }}>
      {words.open}
    </Link>
  )
}
