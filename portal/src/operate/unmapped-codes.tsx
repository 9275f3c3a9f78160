/** Codes of senders that nobody has said the meaning of: each with an example, and a form that says what it means. */

import { useId, useState } from 'react'
import type { AnswerOf } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { operateWords } from '../words/operate.ts'
import { Table } from './table.tsx'

const words = operateWords.codes

type Unmapped = AnswerOf<'/v2/unmapped_codes'>['data'][number]
interface Said {
  readonly code?: string
  readonly reason?: string
  readonly text?: string
}
interface Meanings {
  readonly meanings?: readonly {
    readonly language: string
    readonly kind: string
    readonly meanings: readonly Meaning[]
  }[]
}
type Meaning = { readonly means: string; readonly words: string }
interface Effect {
  readonly data: { readonly meta: { readonly messages: number | null; readonly shipments: number | null } }
}

export function UnmappedCodes() {
  const [chosen, setChosen] = useState<string | null>(null)
  const found = useRows('/v2/unmapped_codes', {}, { isByNumber: true })
  const code = found.rows.find(({ id }) => id === chosen)
  const { meanings: lists = [] } = (found.meta ?? {}) as Meanings
  const isOf = ({ language, kind }: { readonly language: string; readonly kind: string }): boolean =>
    language === code?.attributes.language && kind === code?.attributes.kind
  const meanings = lists.find(isOf)?.meanings ?? []
  return (
    <>
      <Panel title={words.title}>
        <p className="quiet">{words.about}</p>
        {found.isEmpty ? (
          <p className="quiet">{words.none}</p>
        ) : (
          <Table label={words.title} columns={words.columns}>
            {found.rows.map(({ id, attributes }) => (
              <tr key={id}>
                <td>{attributes.channel}</td>
                <td>
                  <code>{nameOf(attributes)}</code>
                  <span className="under">{words.kinds[attributes.kind ?? '']}</span>
                </td>
                <td>
                  <code>{attributes.example?.words ?? '–'}</code>
                </td>
                <td>{attributes.parts}</td>
                <td>
                  <Moment at={attributes.last_seen_at} zone="UTC" />
                </td>
                <td>
                  <button type="button" className="link" onClick={() => setChosen(id)}>
                    {words.choose(nameOf(attributes))}
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
        <ReadMore list={found} />
        {code !== undefined && (
          <MeaningForm key={code.id} code={code} meanings={meanings} onSaved={() => setChosen(null)} />
        )}
      </Panel>
      <Mappings />
    </>
  )
}

function nameOf({ code = '', reason = '', text = '' }: Said): string {
  return [code, reason, text].filter(Boolean).join(' / ')
}

/** Some kinds have a closed list, which is searched in words. A place or a terminal is written by its code. */
function MeaningForm({
  code: { attributes },
  meanings,
  onSaved,
}: {
  code: Unmapped
  meanings: readonly Meaning[]
  onSaved: () => void
}) {
  const connection = useConnection()
  const act = useAct()
  const [sought, setSought] = useState('')
  const [means, setMeans] = useState('')
  const [effect, setEffect] = useState<Effect['data']['meta'] | null>(null)
  const effectId = useId()
  const wanted = sought.trim().toLowerCase()
  const listed = meanings.filter((each) => `${each.words} ${each.means}`.toLowerCase().includes(wanted))
  const choose = (next: string): void => {
    setMeans(next)
    setEffect(null)
  }
  const { channel, kind, field, code, reason, text } = attributes
  const body = {
    data: {
      type: 'code_mapping',
      attributes: {
        channel,
        kind,
        field,
        code,
        means,
        ...(reason ? { reason } : {}),
        ...(text ? { text } : {}),
      },
    },
  }
  const tryIt = (): Promise<boolean> =>
    act(async () => {
      // safe: the description of the operation says that the answer has this shape
      const answer = (await connection.ask('POST', '/v2/code_mappings?dry_run=true', body)) as Effect
      setEffect(answer.data.meta)
    }, words.tried)
  const save = async (): Promise<void> => {
    if (await act(() => connection.ask('POST', '/v2/code_mappings', body), words.saved)) onSaved()
  }
  return (
    <form
      className="stack"
      aria-label={words.form(nameOf(attributes))}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h3>{words.form(nameOf(attributes))}</h3>
      {meanings.length === 0 ? (
        <label className="field">
          <span>{kind === 'terminal' ? words.terminal : words.place}</span>
          <input value={means} required onChange={(event) => choose(event.target.value.toUpperCase())} />
        </label>
      ) : (
        <>
          <label className="field">
            <span>{words.search}</span>
            <input type="search" value={sought} onChange={(event) => setSought(event.target.value)} />
          </label>
          <label className="field">
            <span>{words.means}</span>
            <select size={8} required value={means} onChange={(event) => choose(event.target.value)}>
              {listed.map((each) => (
                <option key={each.means} value={each.means}>
                  {each.words}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <p id={effectId} className="quiet">
        {effect === null ? words.untried : words.effect(effect.messages ?? 0, effect.shipments ?? 0)}
      </p>
      <div className="row">
        <button type="button" disabled={means === ''} onClick={() => void tryIt()}>
          {words.try}
        </button>{' '}
        <button type="submit" disabled={means === ''} aria-describedby={effectId}>
          {words.save}
        </button>
      </div>
    </form>
  )
}

/** What codes mean now. To take a meaning back is to undo it. */
function Mappings() {
  const connection = useConnection()
  const act = useAct()
  const found = useRows('/v2/code_mappings', {}, { isByNumber: true })
  const end = (id: string): Promise<boolean> =>
    act(() => connection.ask('DELETE', `/v2/code_mappings/${id}`), words.ended)
  if (found.rows.length === 0 && found.error === null) return null
  return (
    <Panel title={words.mapped}>
      <p className="quiet">{words.mappedAbout}</p>
      <Table label={words.mapped} columns={words.mappedColumns}>
        {found.rows.map(({ id, attributes }) => (
          <tr key={id}>
            <td>{attributes.channel}</td>
            <td>
              <code>{nameOf(attributes)}</code>
              <span className="under">{words.kinds[attributes.kind ?? '']}</span>
            </td>
            <td>
              {attributes.words ?? ''}
              <span className="under">
                <code>{attributes.means}</code>
              </span>
            </td>
            <td>
              <button type="button" className="link" onClick={() => void end(id)}>
                {words.end(nameOf(attributes))}
              </button>
            </td>
          </tr>
        ))}
      </Table>
      <ReadMore list={found} />
    </Panel>
  )
}
