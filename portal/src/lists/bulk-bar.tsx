/** What can be done with the chosen shipments together. */

import { useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import { words } from '../words/words.ts'

type Verb = 'stop_tracking' | 'resume_tracking'

export function BulkBar({ chosen, onDone }: { chosen: readonly string[]; onDone: () => void }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  if (chosen.length === 0) return null
  const tell = async (verb: Verb): Promise<void> => {
    const data = chosen.map((id) => ({ type: 'shipment', id }))
    const path = `/v2/shipments/batch/${verb}`
    if (await act(() => connection.ask('POST', path, { data }), words.list.done(chosen.length))) onDone()
  }
  return (
    <div className="bulk" role="toolbar" aria-label={words.list.chosen(chosen.length)}>
      <strong>{words.list.chosen(chosen.length)}</strong>
      <button type="button" onClick={() => setAsking(true)}>
        {words.list.stop}
      </button>
      <button type="button" onClick={() => void tell('resume_tracking')}>
        {words.list.resume}
      </button>
      {isAsking && (
        <Confirm
          title={words.list.stopAsk(chosen.length)}
          about={words.list.stopAbout}
          yes={words.list.stop}
          onYes={() => void tell('stop_tracking')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
