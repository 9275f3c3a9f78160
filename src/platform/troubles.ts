// Which faults this installation has at the moment. One cause shows itself in hundreds of errors. It is logged in one
// line that says what to do, then counted, logged again while it lasts, and logged once more when it is over.
import { type CauseName, describeCause, findCause, type Installation } from './causes.ts'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'

export type Troubles = {
  /**
   * The log for all code. An error with a known cause is counted for that cause and not logged by itself; at level
   * `debug` every line is logged.
   */
  readonly log: Log
  /** Reports that the cause is present. Call it repeatedly while the cause lasts. */
  readonly raise: (cause: CauseName, fields?: LogFields) => void
  /** Reports that the cause is gone. */
  readonly end: (cause: CauseName) => void
  readonly active: () => readonly CauseName[]
}

type Trouble = {
  readonly sinceMs: number
  lastMs: number
  toldMs: number
  toldReason: unknown
  repeats: number
}

export type TroublesOptions = {
  readonly log: Log
  readonly installation: Installation
  /** Prints the fault at the terminal. Used when the log is written to a file. */
  readonly tell?: (sentence: string) => void
  readonly nowMs?: () => number
}

/** A cause that was not reported for so long counts as over. */
const quietMs = 30_000
const remindEveryMs = 300_000
/** The interval when the reason has changed. */
const newsEveryMs = 10_000

export function createTroubles({
  log,
  installation,
  tell = () => {},
  nowMs = () => performance.now(),
}: TroublesOptions): Troubles {
  const active = new Map<CauseName, Trouble>()
  let timer: NodeJS.Timeout | undefined

  function raise(cause: CauseName, fields: LogFields = {}): void {
    const { says, remedy, isHint } = describeCause(cause, installation)
    const now = nowMs()
    const known = active.get(cause)
    const { reason } = fields
    const trouble = known ?? { sinceMs: now, lastMs: now, toldMs: now, toldReason: reason, repeats: 0 }
    trouble.lastMs = now
    const level: LogLevel = isHint ? 'warn' : 'error'
    if (known === undefined) {
      active.set(cause, trouble)
      log[level]('trouble.began', { cause, says, remedy, ...fields })
      tell(`${says}${typeof reason === 'string' ? ` ${reason}` : ''} ${remedy}`)
      timer ??= setInterval(endQuiet, 1_000).unref()
      return
    }
    trouble.repeats += 1
    const isNews = reason !== undefined && reason !== trouble.toldReason
    if (now - trouble.toldMs < (isNews ? newsEveryMs : remindEveryMs)) return
    trouble.toldMs = now
    if (isNews) trouble.toldReason = reason
    log[level]('trouble.lasts', { cause, says, remedy, ...fields, ...counted(trouble) })
  }

  function end(cause: CauseName): void {
    const trouble = active.get(cause)
    if (trouble === undefined) return
    active.delete(cause)
    log.info('trouble.over', { cause, ...counted(trouble) })
    tell(`Over: ${describeCause(cause, installation).says}`)
    if (active.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function endQuiet(): void {
    for (const [cause, { lastMs }] of active) if (nowMs() - lastMs > quietMs) end(cause)
  }

  function counted({ sinceMs, lastMs, repeats }: Trouble): LogFields {
    return { repeats, lastedMs: Math.round(lastMs - sinceMs) }
  }

  const write =
    (level: LogLevel) =>
    (event: LogEvent, fields?: LogFields): void => {
      const isFault = (level === 'warn' || level === 'error') && fields?.error !== undefined
      const cause = isFault ? findCause(fields.error, event) : null
      if (cause === null) {
        log[level](event, fields)
        return
      }
      const isKnown = active.has(cause)
      raise(cause, { during: event, ...fields })
      if (isKnown) log.debug(event, fields)
    }
  return {
    log: { debug: log.debug, info: log.info, warn: write('warn'), error: write('error') },
    raise,
    end,
    active: () => [...active.keys()],
  }
}
