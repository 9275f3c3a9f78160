/** What can be done with the chosen rows together. */

import { type ReactNode, useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useSay } from '../parts/said-line.tsx'
import { useAct } from '../parts/use-act.ts'
import { words } from '../words/words.ts'

interface BulkBarProps {
  readonly numbers: readonly string[]
  readonly onClear: () => void
  readonly children?: ReactNode
}

export function BulkBar({ numbers, onClear, children }: BulkBarProps) {
  const say = useSay()
  const copy = (): void => {
    navigator.clipboard.writeText(numbers.join('\n')).then(
      () => say(words.list.numbersCopied(numbers.length)),
      () => say(words.copyByHand),
    )
  }
  return (
    <div className="bulk" role="toolbar" aria-label={words.list.chosen(numbers.length)}>
      <strong>{words.list.chosen(numbers.length)}</strong>
      <button type="button" onClick={copy}>
        {words.list.copyNumbers}
      </button>
      {children}
      <button type="button" className="bare" onClick={onClear}>
        {words.list.chooseNone}
      </button>
    </div>
  )
}

type Verb = 'stop_tracking' | 'resume_tracking'

/** For shipments: containers are tracked by their shipment. */
export function TrackingButtons({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const tell = async (verb: Verb): Promise<void> => {
    const data = ids.map((id) => ({ type: 'shipment', id }))
    const path = `/v2/shipments/batch/${verb}`
    if (await act(() => connection.ask('POST', path, { data }), words.list.done(ids.length))) onDone()
  }
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {words.list.stop}
      </button>
      <button type="button" onClick={() => void tell('resume_tracking')}>
        {words.list.resume}
      </button>
      {isAsking && (
        <Confirm
          title={words.list.stopAsk(ids.length)}
          about={words.list.stopAbout}
          yes={words.list.stop}
          onYes={() => void tell('stop_tracking')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
