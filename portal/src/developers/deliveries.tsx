/** Every delivery, newest first: its state, its attempts with the receiver's answer, and a way to send it again. */

import { useState } from 'react'
import type { WebhookNotification, WebhookNotificationLog } from '../../../sdk/typescript/src/description.generated.ts'
import { Joined } from '../api/joined.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Badge } from '../parts/badge.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { developerWords } from '../words/developers.ts'
import type { Tone } from '../words/names.ts'

const words = developerWords.webhooks
const tones: Readonly<Record<string, Tone>> = { pending: 'wait', succeeded: 'done', failed: 'bad' }

export function Deliveries() {
  const [state, setState] = useState('')
  const found = useRows('/v2/webhook_notifications', { 'filter[delivery_status]': state || null })
  return (
    <Panel
      title={words.deliveries}
      aside={
        <label className="field">
          <span className="unseen">{words.only}</span>
          <select value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">{words.any}</option>
            {Object.entries(words.states).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {found.isEmpty && <p className="quiet">{words.deliveriesNone}</p>}
      {found.rows.map((notification) => (
        <Delivery key={notification.id} notification={notification} />
      ))}
      <ReadMore list={found} />
    </Panel>
  )
}

function Delivery({ notification: { id, attributes } }: { notification: WebhookNotification }) {
  const [isOpen, setOpen] = useState(false)
  const status = attributes.delivery_status ?? 'pending'
  return (
    <details className="delivery" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge said={[words.states[status] ?? status, tones[status] ?? 'wait']} />
        <code>{attributes.event}</code>
        <Moment at={attributes.created_at} zone="UTC" />
      </summary>
      {isOpen && <Attempts notificationId={id} />}
    </details>
  )
}

function Attempts({ notificationId }: { notificationId: string }) {
  const connection = useConnection()
  const act = useAct()
  const found = useRead('/v2/webhook_notifications/{id}', {
    ids: [notificationId],
    query: { include: 'reference_object,webhook_notification_logs' },
  })
  if (found.data === undefined) return null
  const joined = new Joined(found.data)
  const { relationships } = found.data.data
  const redeliver = (): Promise<boolean> =>
    act(() => connection.ask('POST', `/v2/webhook_notifications/${notificationId}/redeliver`), words.redelivered)
  return (
    <div>
      <ol className="attempts">
        {joined.many(relationships?.webhook_notification_logs).map((log) => (
          <Attempt key={log.id} log={log.attributes} />
        ))}
      </ol>
      <details>
        <summary>{words.body}</summary>
        <CodeBlock>{JSON.stringify(found.data, null, 2)}</CodeBlock>
      </details>
      <button type="button" onClick={() => void redeliver()}>
        {words.redeliver}
      </button>
    </div>
  )
}

function Attempt({ log }: { log: WebhookNotificationLog['attributes'] }) {
  const { attempt = 0, status_code: status, error, duration_ms: ms = 0 } = log
  return (
    <li>
      {words.attempt(attempt)}: {status ? words.answered(status, ms) : words.noAnswer(error ?? '', ms)},{' '}
      <Moment at={log.created_at} zone="UTC" />
      {log.next_attempt_at && (
        <>
          {' '}
          · {words.next} <Moment at={log.next_attempt_at} zone="UTC" />
        </>
      )}
      {log.response_body && (
        <details>
          <summary>{words.answer}</summary>
          <CodeBlock>{log.response_body}</CodeBlock>
        </details>
      )}
    </li>
  )
}
