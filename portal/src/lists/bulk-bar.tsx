/** What can be done with the chosen shipments together. */

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useSay } from '../parts/said-line.tsx'
import { words } from '../words/words.ts'

type Verb = 'stop_tracking' | 'resume_tracking'

export function BulkBar({ chosen, onDone }: { chosen: readonly string[]; onDone: () => void }) {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const [isAsking, setAsking] = useState(false)
  if (chosen.length === 0) return null
  const act = async (verb: Verb): Promise<void> => {
    try {
      await connection.ask('POST', `/v2/shipments/batch/${verb}`, {
        data: chosen.map((id) => ({ type: 'shipment', id })),
      })
      say(words.list.done(chosen.length))
      onDone()
      await queries.invalidateQueries()
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className="bulk" role="toolbar" aria-label={words.list.chosen(chosen.length)}>
      <strong>{words.list.chosen(chosen.length)}</strong>
      <button type="button" onClick={() => setAsking(true)}>
        {words.list.stop}
      </button>
      <button type="button" onClick={() => void act('resume_tracking')}>
        {words.list.resume}
      </button>
      {isAsking && (
        <Confirm
          title={words.list.stopAsk(chosen.length)}
          about={words.list.stopAbout}
          yes={words.list.stop}
          onYes={() => void act('stop_tracking')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
