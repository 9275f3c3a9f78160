/** The account's API keys: made, shown once, and deleted after a question. */

import { type FormEvent, useState } from 'react'
import type { ApiKey } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copied } from '../parts/copied.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Reading } from '../parts/reading.tsx'
import { useAct } from '../parts/use-act.ts'
import { administrationWords } from '../words/administration.ts'
import { NeedsAdmin } from './needs-admin.tsx'

const words = administrationWords.keys
const scopesOf = {
  read_write: ['read', 'write'],
  read: ['read'],
  admin: ['read', 'write', 'admin'],
} as const

export function KeysPart() {
  const found = useRead('/v2/api_keys')
  // It is kept here only, and gone with the page.
  const [secret, setSecret] = useState<string | null>(null)
  if (found.error !== null) return <NeedsAdmin error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  return (
    <>
      {secret !== null && (
        <div className="note" role="status">
          <strong>{words.secret}</strong>
          <p>{words.secretAbout}</p>
          <Copied text={secret} />
        </div>
      )}
      <Panel title={administrationWords.parts['keys'] ?? ''}>
        <p className="quiet">{words.about}</p>
        {found.data.data.length === 0 ? (
          <p>{words.none}</p>
        ) : (
          <Table label={administrationWords.parts['keys'] ?? ''} columns={words.columns}>
            {found.data.data.map((key) => (
              <Row key={key.id} apiKey={key} />
            ))}
          </Table>
        )}
      </Panel>
      <NewKey onSecret={setSecret} />
    </>
  )
}

function Row({ apiKey: { id, attributes } }: { apiKey: ApiKey }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const { name = '', scopes = [], kind, masked, last_used_at: used, expires_at: expires } = attributes
  return (
    <tr>
      <th scope="row">
        {name}
        {kind === 'publishable' && (
          <span className="under">
            {words.publishable}: {(attributes.allowed_origins ?? []).join(' ')}
          </span>
        )}
      </th>
      <td>{scopes.map((scope) => words.scopes[scope] ?? scope).join(', ')}</td>
      <td>
        <code>{masked}</code>
      </td>
      <td>{used ? <Moment at={used} zone="UTC" /> : <span className="quiet">{words.never}</span>}</td>
      <td>{expires ? <Moment at={expires} zone="UTC" /> : <span className="quiet">{words.lasting}</span>}</td>
      <td>
        <Moment at={attributes.created_at} zone="UTC" />
        {attributes.created_by_name && <span className="under">{words.by(attributes.created_by_name)}</span>}
      </td>
      <td>
        <button type="button" className="link danger" onClick={() => setAsking(true)}>
          {words.remove}
          <span className="unseen">: {name}</span>
        </button>
        {isAsking && (
          <Confirm
            title={words.removeAsk(name)}
            about={words.removeAbout}
            yes={words.remove}
            onYes={() => void act(() => connection.ask('DELETE', `/v2/api_keys/${id}`), words.removed)}
            onClose={() => setAsking(false)}
          />
        )}
      </td>
    </tr>
  )
}

function NewKey({ onSecret }: { onSecret: (secret: string | null) => void }) {
  const connection = useConnection()
  const act = useAct()
  const [kind, setKind] = useState('read_write')
  const [isSending, setSending] = useState(false)
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    const form = new FormData(element)
    const text = (field: string): string => String(form.get(field) ?? '').trim()
    const attributes = {
      name: text('name'),
      ...(kind === 'publishable'
        ? { kind, allowed_origins: text('origins').split(/\s+/).filter(Boolean) }
        : { scopes: scopesOf[kind as keyof typeof scopesOf] }),
      ...(text('expires') === '' ? {} : { expires_at: `${text('expires')}T23:59:59Z` }),
    }
    setSending(true)
    await act(async () => {
      const data = { type: 'api_key', attributes }
      const answer = (await connection.ask('POST', '/v2/api_keys', { data })) as { readonly data: ApiKey }
      onSecret(answer.data.attributes.secret ?? null)
      element.reset()
    }, words.made)
    setSending(false)
  }
  return (
    <Panel title={words.new}>
      <form className="stack" onSubmit={(event) => void make(event)}>
        <label className="field">
          <span>{words.name}</span>
          <input name="name" required maxLength={100} />
        </label>
        <fieldset className="choices">
          <legend>{words.kind}</legend>
          {Object.entries(words.kinds).map(([value, label]) => (
            <label key={value} className="check">
              <input type="radio" name="kind" value={value} checked={kind === value} onChange={() => setKind(value)} />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        {kind === 'publishable' && (
          <label className="field">
            <span>{words.origins}</span>
            <input name="origins" required />
          </label>
        )}
        <label className="field">
          <span>{words.expires}</span>
          <input name="expires" type="date" />
        </label>
        <button type="submit" className="primary" disabled={isSending}>
          {words.make}
        </button>
      </form>
    </Panel>
  )
}
