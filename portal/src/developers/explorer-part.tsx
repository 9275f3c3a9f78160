/** Every operation of the API, from its own description: search it, fill it in, send it, take the code. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Panel } from '../parts/panel.tsx'
import { developerWords } from '../words/developers.ts'
import { ExplorerOperation } from './explorer-operation.tsx'
import { type Description, type Operation, operationsOf } from './operations.ts'

const words = developerWords.explorer

export function ExplorerPart() {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Operation | null>(null)
  const found = useQuery({
    queryKey: ['/v2/openapi.json'],
    queryFn: async () => operationsOf((await (await fetch('/v2/openapi.json')).json()) as Description),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const wanted = text.toLowerCase().split(/\s+/)
  const fitting = (found.data ?? []).filter(({ method, path, summary }) => {
    const all = `${method} ${path} ${summary}`.toLowerCase()
    return wanted.every((word) => all.includes(word))
  })
  const shown = chosen ?? fitting[0] ?? null
  return (
    <div className="explorer">
      <Panel title={developerWords.parts['explorer'] ?? ''}>
        <p className="quiet">{words.about}</p>
        <label className="field">
          <span>{words.find}</span>
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {found.data !== undefined && fitting.length === 0 && <p className="quiet">{words.none}</p>}
        <ul className="operations">
          {fitting.map((operation) => (
            <li key={operation.id}>
              <button type="button" aria-pressed={operation.id === shown?.id} onClick={() => setChosen(operation)}>
                <span className="verb">{operation.method}</span> <code>{operation.path}</code>
                <span className="under">{operation.summary}</span>
              </button>
            </li>
          ))}
        </ul>
      </Panel>
      {shown !== null && <ExplorerOperation key={shown.id} operation={shown} />}
    </div>
  )
}
