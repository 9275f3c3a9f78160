/** The reader pastes an answer of a line and sees how Landfall reads it. */

import { type FormEvent, useState } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { codeWords, plain } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import { Table } from './table.tsx'

const words = operateWords.read

interface Read {
  readonly verdict: string
  readonly events: {
    readonly told: number
    readonly understood: number
    readonly partly_understood: number
    readonly lost: number
  }
  readonly said: readonly string[]
  readonly issues: readonly {
    readonly kind: string
    readonly lost: string
    readonly pointer: string
    readonly detail: string
  }[]
  readonly containers: readonly { readonly number: string; readonly milestones: readonly string[] }[]
}

export function ReadAnswerPart() {
  const connection = useConnection()
  const lines = useRead('/v2/shipping_lines')
  const [read, setRead] = useState<Read | null>(null)
  const [fault, setFault] = useState('')
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const number = String(form.get('number') ?? '').trim()
    const asked = { scac: form.get('scac'), answer: form.get('answer'), ...(number === '' ? {} : { number }) }
    try {
      setRead((await connection.ask('POST', '/v2/sources/read', asked)) as Read)
      setFault('')
    } catch (error) {
      setRead(null)
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Panel title={operateWords.parts['read'] ?? ''}>
      <p className="quiet">{words.about}</p>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>{words.line}</span>
          <select name="scac">
            {lines.data?.data.map(({ id, attributes }) => (
              <option key={id} value={attributes.scac}>
                {attributes.name} · {attributes.scac}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{words.number}</span>
          <input name="number" maxLength={40} spellCheck={false} />
        </label>
        <label className="field">
          <span>{words.answer}</span>
          <textarea name="answer" rows={12} spellCheck={false} required />
        </label>
        <button type="submit" className="primary">
          {words.read}
        </button>
      </form>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {read !== null && <Reading read={read} />}
    </Panel>
  )
}

function Reading({ read: { verdict, events, said, issues, containers } }: { read: Read }) {
  return (
    <div role="status">
      <h3>{plain(verdict)}</h3>
      <p>{words.events(events.told, events.understood, events.partly_understood, events.lost)}</p>
      <h3>{words.said}</h3>
      <CodeBlock>{said.join('\n') || words.nothing}</CodeBlock>
      <h3>{words.lost}</h3>
      {issues.length === 0 ? (
        <p className="quiet">{words.lostNone}</p>
      ) : (
        <Table label={words.lost} columns={[words.missing, words.what, words.where]}>
          {issues.map(({ kind, lost, pointer, detail }) => (
            <tr key={`${pointer} ${detail}`}>
              <td>{codeWords(lost)}</td>
              <td>
                {plain(kind)}: {detail}
              </td>
              <td>
                <code>{pointer || words.whole}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {containers.map(({ number, milestones }) => (
        <div key={number}>
          <h3>{number}</h3>
          <CodeBlock>{milestones.join('\n') || words.nothing}</CodeBlock>
        </div>
      ))}
    </div>
  )
}
