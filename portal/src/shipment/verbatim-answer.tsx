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
    try {
      setText(readable(await connection.text(path)).slice(0, shownMax))
    } catch (error) {
      setText(error instanceof Error ? error.message : String(error))
    }
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
