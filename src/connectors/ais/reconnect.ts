/**
 * Connects again whenever a connection ends: soon after a good one, later and later after bad ones. A random part of
 * the wait keeps several processes from reconnecting at the same moment.
 */

import { setTimeout as pause } from 'node:timers/promises'

/** How one connection ended. */
export interface Session {
  readonly why: string
  /** At least one message came through the connection, so the next attempt comes soon. */
  readonly wasGood: boolean
}

export interface BackoffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

export const patience: BackoffLimits = { firstMs: 1_000, maxMs: 300_000 }

/** Runs session after session until the signal aborts. Never rejects. */
export async function keepConnected(
  session: () => Promise<Session>,
  options: {
    readonly signal: AbortSignal
    readonly random: () => number
    readonly onEnd: (session: Session) => void
    readonly patience?: BackoffLimits
  },
): Promise<void> {
  const { signal, random } = options
  let failures = 0
  while (!signal.aborted) {
    const ended = await session().catch(
      (error: unknown): Session => ({
        why: error instanceof Error ? error.message : 'unknown',
        wasGood: false,
      }),
    )
    if (signal.aborted) return
    options.onEnd(ended)
    failures = ended.wasGood ? 0 : failures + 1
    await pause(waitMs(failures, random(), options.patience ?? patience), undefined, { signal }).catch(() => {})
  }
}

/** The wait doubles with each failure, up to `maxMs`. Half of it is fixed, the other half is multiplied by `chance`. */
export function waitMs(failures: number, chance: number, { firstMs, maxMs }: BackoffLimits): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30))
  return Math.round(whole / 2 + (whole / 2) * chance)
}
