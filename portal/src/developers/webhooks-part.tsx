/** The account's webhooks: make, try, turn off, new secret, recover, delete; and every delivery with its attempts. */

import { type FormEvent, useState } from 'react'
import type { Webhook } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { useAct } from '../parts/use-act.ts'
import { developerWords } from '../words/developers.ts'
import { Deliveries } from './deliveries.tsx'

const words = developerWords.webhooks
const weekMs = 7 * 86_400_000
const exampleEvent = 'container.transport.vessel_arrived'

/** The answer of `POST /v2/webhooks/trigger`. */
interface Tried {
  readonly error: string | null
  readonly status_code: number | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly request_body: string
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response_body: string | null
}

export function WebhooksPart() {
  const found = useRows('/v2/webhooks', {}, { isByNumber: true })
  const [secret, setSecret] = useState<string | null>(null)
  if (found.error !== null) return <ProblemNote error={found.error} again={found.again} />
  const webhooks = found.rows
  return (
    <div className="two-columns wide-last">
      <div>
        <Panel title={developerWords.parts['webhooks'] ?? ''}>
          <p className="quiet">{words.about}</p>
          {secret !== null && <Secret secret={secret} />}
          {found.isEmpty && <p>{words.none}</p>}
          {webhooks.map((webhook) => (
            <Hook key={webhook.id} webhook={webhook} onSecret={setSecret} />
          ))}
          <ReadMore list={found} />
        </Panel>
        <NewHook onSecret={setSecret} />
      </div>
      <Deliveries />
    </div>
  )
}

function Secret({ secret }: { secret: string }) {
  return (
    <div className="note" role="status">
      <strong>{words.secretTitle}</strong>
      <p>{words.secretAbout}</p>
      <CodeBlock>{secret}</CodeBlock>
    </div>
  )
}

function Hook({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string | null) => void }) {
  const connection = useConnection()
  const act = useAct()
  const [asking, setAsking] = useState<'rotate' | 'delete' | null>(null)
  const [tried, setTried] = useState<Tried | null>(null)
  const { url = '', active, events = [] } = webhook.attributes
  const path = `/v2/webhooks/${webhook.id}`
  const attempt = async (): Promise<void> => {
    const answer = await connection.ask('POST', '/v2/webhooks/trigger', { url, event: exampleEvent })
    setTried(answer as Tried)
  }
  const change = (): Promise<unknown> =>
    connection.ask('PATCH', path, {
      data: { type: 'webhook', id: webhook.id, attributes: { active: !active } },
    })
  const recover = (): Promise<unknown> =>
    connection.ask('POST', `${path}/recover`, { since: new Date(Date.now() - weekMs).toISOString() })
  const rotate = async (): Promise<void> => {
    const answer = (await connection.ask('POST', `${path}/rotate_secret`)) as { data?: Webhook }
    onSecret(answer.data?.attributes.secret ?? null)
  }
  const failing = webhook.meta?.failing_since
  return (
    <div className="hook">
      <p>
        <code>{url}</code>
      </p>
      <p className="quiet">
        {active ? words.active : words.inactive} · {events.length} {words.events.toLowerCase()} · {words.sentAs}{' '}
        <code>{webhook.meta?.content_type}</code>, {words.signedUnder} <code>{webhook.meta?.signature_header}</code>
        {failing && (
          <span className="fault">
            {' '}
            {words.failing} <Moment at={failing} zone="UTC" />
          </span>
        )}
        {webhook.meta?.disabled_reason && <span className="fault"> {webhook.meta.disabled_reason}</span>}
      </p>
      <p className="buttons">
        <button type="button" onClick={() => void act(attempt, words.tried)}>
          {words.try}
        </button>
        <button type="button" onClick={() => void act(change, active ? words.inactive : words.active)}>
          {active ? words.turnOff : words.turnOn}
        </button>
        <button type="button" onClick={() => void act(recover, words.recovered)}>
          {words.recover}
        </button>
        <button type="button" onClick={() => setAsking('rotate')}>
          {words.rotate}
        </button>
        <button type="button" className="danger" onClick={() => setAsking('delete')}>
          {words.delete}
        </button>
      </p>
      {tried !== null && <TriedExample tried={tried} />}
      {asking === 'rotate' && (
        <Confirm
          title={words.rotateAsk}
          about={words.rotateAbout}
          yes={words.rotate}
          onYes={() => void act(rotate, words.secretTitle)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title={words.deleteAsk(url)}
          about={words.deleteAbout}
          yes={words.delete}
          onYes={() => void act(() => connection.ask('DELETE', path), words.deleted)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}

/** What an example brought: the request as it was signed and sent, and the receiver's answer. */
function TriedExample({ tried }: { tried: Tried }) {
  return (
    <details open>
      <summary>{words.tryDone(tried.status_code ?? tried.error ?? '–')}</summary>
      <h3>{words.sent}</h3>
      <CodeBlock>{`${headersText(tried.request_headers)}\n\n${tried.request_body}`}</CodeBlock>
      {tried.response_headers !== null && (
        <>
          <h3>{words.answer}</h3>
          <CodeBlock>{`${headersText(tried.response_headers)}\n\n${tried.response_body ?? ''}`}</CodeBlock>
        </>
      )}
    </details>
  )
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function NewHook({ onSecret }: { onSecret: (secret: string | null) => void }) {
  const connection = useConnection()
  const act = useAct()
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const url = String(new FormData(form).get('url') ?? '').trim()
    void act(async () => {
      const data = { type: 'webhook', attributes: { url, active: true, events: ['*'] } }
      const answer = (await connection.ask('POST', '/v2/webhooks', { data })) as { data: Webhook }
      onSecret(answer.data.attributes.secret ?? null)
      form.reset()
    }, words.secretTitle)
  }
  return (
    <Panel title={words.new}>
      <form className="stack" onSubmit={make}>
        <label className="field">
          <span>{words.url}</span>
          <input name="url" type="url" required placeholder="https://example.com/landfall" />
        </label>
        <p className="quiet">{words.all}</p>
        <button type="submit" className="primary">
          {words.make}
        </button>
      </form>
    </Panel>
  )
}
