/** The account's events in their order, newest first, each with its whole document. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Reading } from '../parts/reading.tsx'
import { developerWords } from '../words/developers.ts'

const words = developerWords.log
const shownMax = 100

export function EventLog() {
  const connection = useConnection()
  const [before, setBefore] = useState<number | null>(null)
  const [text, setText] = useState('')
  const found = useQuery({
    queryKey: ['/v2/events', 'log', before],
    queryFn: async (): Promise<AnswerOf<'/v2/events'>> => {
      const last = before ?? (await newestOf(connection.read('/v2/events', { query: { limit: 1 } })))
      const query = { after: Math.max(0, last - shownMax), limit: shownMax, include: 'reference_object' }
      return connection.read('/v2/events', { query })
    },
  })
  const events = [...(found.data?.data ?? [])].reverse()
  const shown = events.filter(({ attributes }) => attributes.event?.includes(text.trim()) ?? false)
  const oldest = events.at(-1)?.attributes.sequence ?? 1
  if (found.data === undefined) return <Reading />
  return (
    <Panel title={developerWords.parts['events'] ?? ''}>
      <p className="quiet">{words.about}</p>
      <label className="field reference">
        <span>{words.find}</span>
        <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      {shown.map((event) => (
        <details key={event.id} className="delivery">
          <summary>
            <span className="number">{event.attributes.sequence}</span>
            <code>{event.attributes.event}</code>
            <Moment at={event.attributes.created_at} zone="UTC" />
          </summary>
          <CodeBlock>{JSON.stringify(event, null, 2)}</CodeBlock>
        </details>
      ))}
      <p className="buttons">
        <button type="button" disabled={oldest <= 1} onClick={() => setBefore(oldest - 1)}>
          {words.older}
        </button>
        {before !== null && (
          <button type="button" onClick={() => setBefore(null)}>
            {words.newest}
          </button>
        )}
      </p>
    </Panel>
  )
}

async function newestOf(reading: Promise<AnswerOf<'/v2/events'>>): Promise<number> {
  const { meta } = await reading
  return (meta as { readonly last_sequence?: number } | undefined)?.last_sequence ?? 0
}
