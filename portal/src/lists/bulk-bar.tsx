/** What can be done with the chosen rows together. */

import { type ReactNode, useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useSay } from '../parts/said-line.tsx'
import { useAct } from '../parts/use-act.ts'
import { listWords } from '../words/lists.ts'
import { words } from '../words/words.ts'

interface BulkBarProps {
  readonly numbers: readonly string[]
  readonly onExport: () => void
  readonly onClear: () => void
  readonly children?: ReactNode
}

export function BulkBar({ numbers, onExport, onClear, children }: BulkBarProps) {
  const say = useSay()
  const copy = (): void => {
    navigator.clipboard.writeText(numbers.join('\n')).then(
      () => say(listWords.numbersCopied(numbers.length)),
      () => say(words.copyByHand),
    )
  }
  return (
    <div className="bulk" role="toolbar" aria-label={listWords.chosen(numbers.length)}>
      <strong>{listWords.chosen(numbers.length)}</strong>
      <button type="button" onClick={copy}>
        {listWords.copyNumbers}
      </button>
      <button type="button" onClick={onExport}>
        {listWords.exportChosen}
      </button>
      {children}
      <button type="button" className="bare" onClick={onClear}>
        {listWords.chooseNone}
      </button>
    </div>
  )
}

type Verb = 'stop_tracking' | 'resume_tracking'

/** `ids`: of shipments, by which containers are tracked. */
export function TrackingButtons({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const tell = async (verb: Verb): Promise<void> => {
    const data = ids.map((id) => ({ type: 'shipment', id }))
    const path = `/v2/shipments/batch/${verb}`
    await act(async () => {
      await connection.ask('POST', path, { data })
      // Before the rows are read again: what is chosen meanwhile stays chosen.
      onDone()
    }, listWords.done(ids.length))
  }
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {listWords.stop}
      </button>
      <button type="button" onClick={() => void tell('resume_tracking')}>
        {listWords.resume}
      </button>
      {isAsking && (
        <Confirm
          title={listWords.stopAsk(ids.length)}
          about={listWords.stopAbout}
          yes={listWords.stop}
          onYes={() => void tell('stop_tracking')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
