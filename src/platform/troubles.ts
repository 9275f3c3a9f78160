// What is wrong with this installation just now. One cause shows itself in hundreds of errors; it is told in one line that
// says what to do, then counted, and told again when it lasts and when it is over.
import { type CauseName, describeCause, findCause, type Installation } from './causes.ts'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'

export type Troubles = {
  /** The log that everybody writes to: an error whose cause is known becomes a part of it. At `debug` each line is written. */
  readonly log: Log
  /** It is so, now; to be said again while it lasts. */
  readonly raise: (cause: CauseName, fields?: LogFields) => void
  /** It was seen to be over. */
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
  /** The person at the terminal, where the log goes to a file. */
  readonly tell?: (sentence: string) => void
  readonly nowMs?: () => number
}

/** So long without an error it is over. */
const quietMs = 30_000
const remindEveryMs = 300_000
/** Its reason has changed. */
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
