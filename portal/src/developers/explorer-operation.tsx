/** One operation: its parameters as fields, the answer, and the same request as code. */

import * as Tabs from '@radix-ui/react-tabs'
import { type FormEvent, useId, useState } from 'react'
import { written } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { developerWords } from '../words/developers.ts'
import { languages } from './code-of.ts'
import type { Operation, Parameter } from './operations.ts'

const words = developerWords.explorer

interface Answered {
  readonly status: number
  readonly ms: number
  readonly text: string
}

export function ExplorerOperation({ operation }: { operation: Operation }) {
  const connection = useConnection()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(operation.body)
  const [answer, setAnswer] = useState<Answered | null>(null)
  const [isSending, setSending] = useState(false)
  const path = pathOf(operation, values)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setAnswer(await tryIt(connection.headers('application/vnd.api+json'), { ...operation, path, body, values }))
    setSending(false)
  }
  const rest = operation.parameters.filter((each) => !isPath(each))
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      onChange={(value) => setValues({ ...values, [parameter.name]: value })}
    />
  )
  return (
    <Panel title={operation.summary}>
      <p>
        <span className="verb">{operation.method}</span> <code>{operation.path}</code>
      </p>
      {operation.description !== '' && <p className="quiet">{withCode(operation.description)}</p>}
      <form className="stack" onSubmit={(event) => void send(event)}>
        {operation.parameters.filter(isPath).map(field)}
        {rest.length > 0 && (
          <details className="field">
            <summary>{words.optional(rest.length)}</summary>
            {rest.map(field)}
          </details>
        )}
        {body !== null && (
          <label className="field">
            <span>{words.body}</span>
            <textarea rows={10} spellCheck={false} value={body} onChange={(event) => setBody(event.target.value)} />
          </label>
        )}
        {operation.method !== 'GET' && <p className="quiet">{words.warn}</p>}
        <button type="submit" className="primary" disabled={isSending}>
          {isSending ? words.sending : words.send}
        </button>
      </form>
      {answer !== null && (
        <>
          <h3>
            {words.answer}: {answer.status}, {answer.ms} ms
          </h3>
          <CodeBlock>{answer.text}</CodeBlock>
        </>
      )}
      <h3>{words.code}</h3>
      <Tabs.Root defaultValue="curl">
        <Tabs.List className="tabs" aria-label={words.languages}>
          {Object.keys(languages).map((name) => (
            <Tabs.Trigger key={name} value={name} className="bare">
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {Object.entries(languages).map(([name, write]) => (
          <Tabs.Content key={name} value={name}>
            <CodeBlock>{write({ method: operation.method, url: location.origin + path, body })}</CodeBlock>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Panel>
  )
}

const isPath = (parameter: Parameter): boolean => parameter.in === 'path'

/** The description has code between backticks. */
function withCode(text: string): readonly React.ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
}

function ParameterField(props: { parameter: Parameter; value: string; onChange: (value: string) => void }) {
  const { parameter, value, onChange } = props
  const id = useId()
  const choices = parameter.schema?.enum
  return (
    <div className="field">
      <label htmlFor={id}>
        <code>{parameter.name}</code> {withCode(parameter.description ?? '')}
      </label>
      {choices === undefined ? (
        <input
          id={id}
          value={value}
          required={parameter.in === 'path'}
          placeholder={String(parameter.schema?.default ?? '')}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="" />
          {choices.map((each) => (
            <option key={String(each)}>{String(each)}</option>
          ))}
        </select>
      )}
    </div>
  )
}

function pathOf({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const named = (place: Parameter['in']) => parameters.filter((each) => each.in === place)
  const filled = named('path').reduce(
    (text, { name }) => text.replace(`{${name}}`, encodeURIComponent(values[name] || `{${name}}`)),
    path,
  )
  return filled + written(Object.fromEntries(named('query').map(({ name }) => [name, values[name] || null])))
}

async function tryIt(
  headers: Record<string, string>,
  asked: Operation & { readonly values: Readonly<Record<string, string>> },
): Promise<Answered> {
  const startedAt = performance.now()
  const own = asked.parameters.flatMap(({ name, in: place }) =>
    place === 'header' && asked.values[name] ? [[name, asked.values[name]]] : [],
  )
  try {
    const answer = await fetch(asked.path, {
      method: asked.method,
      body: asked.body,
      headers: {
        ...headers,
        ...Object.fromEntries(own),
        ...(asked.body === null ? {} : { 'content-type': 'application/vnd.api+json' }),
      },
    })
    const text = await answer.text()
    return { status: answer.status, ms: Math.round(performance.now() - startedAt), text: prettily(text) }
  } catch (error) {
    return { status: 0, ms: Math.round(performance.now() - startedAt), text: String(error) }
  }
}

function prettily(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
