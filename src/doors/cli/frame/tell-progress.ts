/** How far long work is: one line that changes on a terminal, elsewhere a line every ten seconds. */

import type { Shell } from './command.ts'

const onTerminalEveryMs = 200
const elsewhereEveryMs = 10_000
/** Before this the rate says little. */
const rateAfterMs = 2_000

interface Done {
  /** What is being worked on; empty for nothing to name. */
  readonly name: string
  readonly amount: number
  /** Of the whole, from 0 to 1. */
  readonly share: number
}
interface Told {
  readonly say: (amount: number) => string
  readonly clock?: () => number
}

/** The time counts from the first call of the result. */
export function tellProgress(
  shell: Pick<Shell, 'isTerminal' | 'progress' | 'tell'>,
  what: string,
  { say, clock = () => performance.now() }: Told,
): (done: Done) => void {
  let startedMs: number | null = null
  let toldMs = 0
  return ({ name, amount, share }) => {
    const nowMs = clock()
    startedMs ??= toldMs = nowMs
    const everyMs = shell.isTerminal ? onTerminalEveryMs : elsewhereEveryMs
    if (nowMs - toldMs < everyMs) return
    toldMs = nowMs
    const lastMs = nowMs - startedMs
    const rate = lastMs < rateAfterMs ? '' : `, ${say((amount / lastMs) * 1_000)} a second`
    const leftSeconds = ((lastMs / share) * (1 - share)) / 1_000
    const left = lastMs < rateAfterMs || share < 0.02 ? '' : `, some ${saySeconds(leftSeconds)} left`
    const line = `${what}: ${Math.floor(share * 100)} %, ${say(amount)}${rate}${left}`
    if (shell.isTerminal) shell.progress(name === '' ? line : `${line}  ${name}`)
    else shell.tell(line)
  }
}

/** The same for a copy, which tells bytes. */
export function tellCopy(
  shell: Pick<Shell, 'isTerminal' | 'progress' | 'tell'>,
  what: string,
  clock?: () => number,
): (copied: { readonly name: string; readonly bytes: number; readonly share: number }) => void {
  const tell = tellProgress(shell, what, { say: sayBytes, ...(clock && { clock }) })
  return ({ name, bytes, share }) => tell({ name, amount: bytes, share })
}

export function sayBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

function saySeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
