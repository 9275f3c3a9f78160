/** The answer of a source as it came, read when the reader asks for it. */

import { useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { shipmentWords as words } from '../words/shipment.ts'

const shownMax = 20_000

export function VerbatimAnswer({ snapshotId }: { snapshotId: string }) {
  const connection = useConnection()
  const [text, setText] = useState<string | null>(null)
  const read = async (): Promise<void> => {
    const path = `/v2/snapshots/${encodeURIComponent(snapshotId)}/body`
    const answer = await fetch(path, { headers: connection.headers('*/*'), cache: 'no-store' })
    const body = await answer.text()
    setText(answer.ok ? readable(body).slice(0, shownMax) : faultOf(body))
  }
  if (text !== null) return <CodeBlock>{text}</CodeBlock>
  return (
    <button type="button" className="link" onClick={() => void read()}>
      {words.answer}
    </button>
  )
}

/** JSON with line ends; other texts as they are. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function faultOf(body: string): string {
  try {
    const { errors } = JSON.parse(body) as { readonly errors?: readonly { readonly detail?: string }[] }
    return errors?.map(({ detail }) => detail ?? '').join(' ') ?? body
  } catch {
    return body
  }
}
