// The present faults of this installation. One cause shows itself in hundreds of errors. It is logged in one line that
// states the remedy, then counted, logged again while it lasts, and logged once more when it is over.

import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'
import {
  describeOperatorIssue,
  findOperatorIssue,
  type Installation,
  type OperatorIssueKind,
} from './operator-issue-kinds.ts'

export type OperatorIssues = {
  /**
   * The log for all code. An error with a known cause is counted for that cause and not logged by itself; at level
   * `debug` every line is logged.
   */
  readonly log: Log
  /** Reports that the cause is present. Call it repeatedly while the cause lasts. */
  readonly raise: (kind: OperatorIssueKind, fields?: LogFields) => void
  /** Reports that the cause is gone. */
  readonly end: (kind: OperatorIssueKind) => void
  readonly active: () => readonly OperatorIssueKind[]
}

type ActiveIssue = {
  readonly sinceMs: number
  lastMs: number
  reportedMs: number
  reportedReason: unknown
  repeats: number
}

export type OperatorIssuesOptions = {
  readonly log: Log
  readonly installation: Installation
  /** Prints the fault at the terminal. Used when the log is written to a file. */
  readonly print?: (sentence: string) => void
  readonly nowMs?: () => number
}

/** A cause that was not reported for so long counts as over. */
const quietMs = 30_000
const remindEveryMs = 300_000
/** The interval when the reason has changed. */
const newsEveryMs = 10_000

export function createOperatorIssues({
  log,
  installation,
  print = () => {},
  nowMs = () => performance.now(),
}: OperatorIssuesOptions): OperatorIssues {
  const active = new Map<OperatorIssueKind, ActiveIssue>()
  let timer: NodeJS.Timeout | undefined

  function raiseIssue(kind: OperatorIssueKind, fields: LogFields = {}): void {
    const { summary, remedy, isHint } = describeOperatorIssue(kind, installation)
    const now = nowMs()
    const known = active.get(kind)
    const { reason } = fields
    const issue = known ?? { sinceMs: now, lastMs: now, reportedMs: now, reportedReason: reason, repeats: 0 }
    issue.lastMs = now
    const level: LogLevel = isHint ? 'warn' : 'error'
    if (known === undefined) {
      active.set(kind, issue)
      log[level]('trouble.began', { cause: kind, says: summary, remedy, ...fields })
      print(`${summary}${typeof reason === 'string' ? ` ${reason}` : ''} ${remedy}`)
      timer ??= setInterval(endQuiet, 1_000).unref()
      return
    }
    issue.repeats += 1
    const isNews = reason !== undefined && reason !== issue.reportedReason
    if (now - issue.reportedMs < (isNews ? newsEveryMs : remindEveryMs)) return
    issue.reportedMs = now
    if (isNews) issue.reportedReason = reason
    log[level]('trouble.lasts', { cause: kind, says: summary, remedy, ...fields, ...describeCounts(issue) })
  }

  function endIssue(kind: OperatorIssueKind): void {
    const issue = active.get(kind)
    if (issue === undefined) return
    active.delete(kind)
    log.info('trouble.over', { cause: kind, ...describeCounts(issue) })
    print(`Over: ${describeOperatorIssue(kind, installation).summary}`)
    if (active.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function endQuiet(): void {
    for (const [kind, { lastMs }] of active) if (nowMs() - lastMs > quietMs) endIssue(kind)
  }

  function describeCounts({ sinceMs, lastMs, repeats }: ActiveIssue): LogFields {
    return { repeats, lastedMs: Math.round(lastMs - sinceMs) }
  }

  const write =
    (level: LogLevel) =>
    (event: LogEvent, fields?: LogFields): void => {
      const isFault = (level === 'warn' || level === 'error') && fields?.error !== undefined
      const kind = isFault ? findOperatorIssue(fields.error, event) : null
      if (kind === null) {
        log[level](event, fields)
        return
      }
      const isKnown = active.has(kind)
      raiseIssue(kind, { during: event, ...fields })
      if (isKnown) log.debug(event, fields)
    }
  return {
    log: { debug: log.debug, info: log.info, warn: write('warn'), error: write('error') },
    raise: raiseIssue,
    end: endIssue,
    active: () => [...active.keys()],
  }
}
