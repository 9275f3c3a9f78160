/** Says on every page that this is a restored copy that does nothing by itself yet. */

import { useQuery } from '@tanstack/react-query'
import { words } from '../words/words.ts'

const askEveryMs = 60_000

export function PausedLine() {
  const { data: isPaused } = useQuery({
    queryKey: ['paused'],
    queryFn: readPaused,
    refetchInterval: askEveryMs,
  })
  return isPaused === true ? <p className="problem">{words.paused}</p> : null
}

/** Open to all, so without credentials. A process that does not answer is not called paused. */
async function readPaused(): Promise<boolean> {
  const state: unknown = await fetch('/readyz').then(
    (answer) => answer.json(),
    () => null,
  )
  return typeof state === 'object' && state !== null && 'paused' in state && state.paused === true
}
