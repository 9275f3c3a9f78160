/** How far long work is: one line that changes on a terminal, elsewhere a line every ten seconds. */

import type { Shell } from './command.ts'

const onTerminalEveryMs = 200
const elsewhereEveryMs = 10_000
/** Before this time the rate is not reliable. */
const rateAfterMs = 2_000

interface ProgressStep {
  /** What is being worked on; empty for nothing to name. */
  readonly name: string
  readonly amount: number
  /** Of the total, from 0 to 1. */
  readonly share: number
}
interface ProgressOptions {
  readonly format: (amount: number) => string
  readonly clock?: () => number
}

/** The time counts from the first call of the result. */
export function createProgressReporter(
  shell: Pick<Shell, 'isTerminal' | 'progress' | 'log'>,
  what: string,
  { format, clock = () => performance.now() }: ProgressOptions,
): (done: ProgressStep) => void {
  let startedMs: number | null = null
  let reportedMs = 0
  return ({ name, amount, share }) => {
    const nowMs = clock()
    startedMs ??= reportedMs = nowMs
    const everyMs = shell.isTerminal ? onTerminalEveryMs : elsewhereEveryMs
    if (nowMs - reportedMs < everyMs) return
    reportedMs = nowMs
    const lastMs = nowMs - startedMs
    const rate = lastMs < rateAfterMs ? '' : `, ${format((amount / lastMs) * 1_000)} a second`
    const remainingSeconds = ((lastMs / share) * (1 - share)) / 1_000
    const remaining = lastMs < rateAfterMs || share < 0.02 ? '' : `, some ${formatSeconds(remainingSeconds)} left`
    const line = `${what}: ${Math.floor(share * 100)} %, ${format(amount)}${rate}${remaining}`
    if (shell.isTerminal) shell.progress(name === '' ? line : `${line}  ${name}`)
    else shell.log(line)
  }
}

/** The same for a copy, which reports bytes. */
export function createCopyReporter(
  shell: Pick<Shell, 'isTerminal' | 'progress' | 'log'>,
  what: string,
  clock?: () => number,
): (copied: { readonly name: string; readonly bytes: number; readonly share: number }) => void {
  const report = createProgressReporter(shell, what, { format: formatBytes, ...(clock && { clock }) })
  return ({ name, bytes, share }) => report({ name, amount: bytes, share })
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
