/** Exceptions with their reasons and sources. One press leads to the thing; each can be set aside for a day. */

import { Link } from '@tanstack/react-router'
import type { AttentionItem } from '../../../sdk/typescript/src/description.generated.ts'
import type { AnswerOf } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { useConnection } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { useAct } from '../parts/use-act.ts'
import { attentionWords as words } from '../words/attention.ts'
import { sourceWords } from '../words/names.ts'

const dayMs = 86_400_000
const tones: Readonly<Record<string, string>> = { urgent: 'late', soon: 'soon' }

export function AttentionItems({ answer }: { answer: AnswerOf<'/v2/attention'> }) {
  const joined = new Joined(answer)
  if (answer.data.length === 0) return <p className="quiet">{words.none}</p>
  return (
    <ul className="attention">
      {answer.data.map((item) => (
        <Item key={item.id} item={item} joined={joined} />
      ))}
    </ul>
  )
}

/** Of what nothing is known, since unknown is not the same as none. */
export function UnknownCounts({ answer }: { answer: AnswerOf<'/v2/attention'> }) {
  const { unknown = {} } = (answer.meta ?? {}) as { readonly unknown?: Readonly<Record<string, number>> }
  const counted = Object.entries(unknown).filter(([, count]) => count > 0)
  if (counted.length === 0) return null
  const each = counted.map(([reason, count]) => words.unknowns(words.reasons[reason] ?? reason, count))
  return (
    <p className="quiet">
      {words.unknown} {each.join(' · ')}
    </p>
  )
}

function Item({ item, joined }: { item: AttentionItem; joined: Joined }) {
  const connection = useConnection()
  const act = useAct()
  const { reason = '', severity = 'info', text, due_at: due, said, snoozed_until: snoozed } = item.attributes
  const path = `/v2/attention/${encodeURIComponent(item.id)}/snooze`
  const snooze = (): Promise<boolean> =>
    snoozed
      ? act(() => connection.ask('DELETE', path), words.wake)
      : act(() => connection.ask('POST', path, { until: new Date(Date.now() + dayMs).toISOString() }), words.snoozed)
  return (
    <li className={tones[severity] ?? ''}>
      <Subject item={item} joined={joined} />
      <div className="attention-text">
        <strong>{words.reasons[reason] ?? reason}</strong>
        {due && (
          <>
            {' '}
            <span className="quiet">
              {words.due} <Moment at={due} zone="UTC" />
            </span>
          </>
        )}
        <span className="under">{text}</span>
        {said && (
          <span className="under">
            {sourceWords(said.kind)} {said.code}
          </span>
        )}
      </div>
      <button type="button" className="link" onClick={() => void snooze()}>
        {snoozed ? words.wake : words.snooze}
      </button>
    </li>
  )
}

function Subject({ item: { relationships }, joined }: { item: AttentionItem; joined: Joined }) {
  const shipment = joined.one(relationships?.shipment)
  const box = joined.one(relationships?.container)
  const request = joined.one(relationships?.tracking_request)
  const shipmentId = relationships?.shipment?.data?.id
  const number = box?.attributes.number ?? shipment?.attributes.bill_of_lading_number
  if (shipmentId !== undefined)
    return (
      <Link
        to="/shipments/$shipmentId"
        params={{ shipmentId }}
        search={box?.attributes.number === undefined ? {} : { box: box.attributes.number }}
        className="number"
      >
        {number}
      </Link>
    )
  return (
    <Link to="/track" search={{ numbers: request?.attributes.request_number ?? '' }} className="number">
      {request?.attributes.request_number}
    </Link>
  )
}
