/**
 * Whether a feed still sends: it is silent when nothing came for a whole window of time, or less than a tenth of what
 * usually comes. All times are of the real clock.
 */

export interface FeedState {
  /** Since when the connection is open; null while there is none. */
  readonly connectedAt: string | null
  /** Why the last connection ended. */
  readonly endedBecause: string | null
  /** When the last message came. */
  readonly heardAt: string | null
  /** Messages in an ordinary window; null until it is known. */
  readonly usual: number | null
  /** Null while the feed sends. */
  readonly silentSince: string | null
}

export interface FeedWatch {
  readonly opened: (nowMs: number) => void
  readonly closed: (why: string) => void
  readonly heard: (nowMs: number) => void
  readonly read: (nowMs: number) => FeedState
}

/** Fewer messages than this in an ordinary window are too few to tell that a tenth of them is a fault. */
const usualMin = 50
const silentShare = 0.1
/** How much one window changes the usual number. */
const newShare = 0.05

/** `before`: what the process that listened before has written. */
export function openFeedWatch(of: {
  readonly windowMs: number
  readonly startMs: number
  readonly before: FeedState | null
}): FeedWatch {
  const { windowMs, startMs } = of
  let connectedMs: number | null = null
  let endedBecause = of.before?.endedBecause ?? null
  let heardMs = msOf(of.before?.heardAt)
  let usual = of.before?.usual ?? null
  /** Of a window with too few messages: since when. */
  let slowSinceMs: number | null = null
  /** What was silent when this process began to listen stays so until it sends. */
  let silentBeforeMs = msOf(of.before?.silentSince)
  let windowFromMs = startMs
  let count = 0

  function closeWindows(nowMs: number): void {
    while (nowMs >= windowFromMs + windowMs) {
      const isSlow = usual !== null && usual >= usualMin && count < usual * silentShare
      slowSinceMs = isSlow ? (slowSinceMs ?? windowFromMs) : null
      if (!isSlow && count > 0) usual = usual === null ? count : usual + newShare * (count - usual)
      windowFromMs += windowMs
      count = 0
    }
  }

  function silentSinceMs(nowMs: number): number | null {
    if (nowMs - Math.max(heardMs ?? startMs, startMs) >= windowMs) return silentBeforeMs ?? heardMs ?? startMs
    return silentBeforeMs ?? slowSinceMs
  }

  return {
    opened: (nowMs) => {
      connectedMs = nowMs
    },
    closed: (why) => {
      connectedMs = null
      endedBecause = why
    },
    heard: (nowMs) => {
      closeWindows(nowMs)
      heardMs = nowMs
      silentBeforeMs = null
      count += 1
    },
    read: (nowMs) => {
      closeWindows(nowMs)
      return {
        connectedAt: isoOf(connectedMs),
        endedBecause,
        heardAt: isoOf(heardMs),
        usual,
        silentSince: isoOf(silentSinceMs(nowMs)),
      }
    },
  }
}

function msOf(at: string | null | undefined): number | null {
  return at == null ? null : Date.parse(at)
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
