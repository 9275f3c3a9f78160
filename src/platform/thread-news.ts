// A thread sends what it logs and counts to the thread that started it, so that there is one log and one /metrics page.
// Errors are packed with their code, because the runtime's own copy of an error has no code.

import { type BusinessEventName, businessEvents } from './business-events.ts'
import { liveIds } from './live-span.ts'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'
import type { Metrics } from './metrics.ts'

export type ThreadNews =
  | {
      readonly kind: 'logged'
      readonly level: LogLevel
      readonly event: LogEvent
      readonly fields: LogFields
    }
  | { readonly kind: 'counted'; readonly name: BusinessEventName; readonly fields: LogFields }

type Send = (news: ThreadNews) => void

/** Called in the thread. Without `debug`, debug lines are not sent at all. */
export function createThreadLog(send: Send, { debug }: { readonly debug: boolean }): Log {
  const across =
    (level: LogLevel) =>
    (event: LogEvent, fields: LogFields = {}): void =>
      send({ kind: 'logged', level, event, fields: packFields(fields) })
  return {
    debug: debug ? across('debug') : () => {},
    info: across('info'),
    warn: across('warn'),
    error: across('error'),
  }
}

/** Called in the thread. Gauges do nothing here: they and the page belong to the thread that started it. */
export function createThreadMetrics(send: Send): Metrics {
  const methods = Object.keys(businessEvents).map((name) => [
    name,
    (fields: LogFields) => send({ kind: 'counted', name: name as BusinessEventName, fields: packFields(fields) }),
  ])
  return {
    ...(Object.fromEntries(methods) as Metrics), // one method for each event
    watch: () => {},
    contentType: 'text/plain',
    write: async () => '',
  }
}

/** Called in the thread that started the other. */
export function applyThreadNews(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  news: ThreadNews,
): void {
  if (news.kind === 'logged') log[news.level](news.event, unpackFields(news.fields))
  // safe: the labels belong to this name, because the same method was called in the thread
  else (metrics[news.name] as (fields: LogFields) => void)(unpackFields(news.fields))
}

/** The fields of an error that are needed to find its cause. */
interface PackedError {
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly syscall: string | undefined
  readonly cause: PackedError | undefined
}

function packFields(fields: LogFields): LogFields {
  const ids = liveIds()
  const identified = ids === null ? fields : { ...fields, ...ids }
  return identified.error instanceof Error ? { ...identified, error: packError(identified.error) } : identified
}

function packError(error: Error): PackedError {
  const { message, stack } = error
  const within: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown }
  return {
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    syscall: typeof syscall === 'string' ? syscall : undefined,
    cause: within instanceof Error ? packError(within) : undefined,
  }
}

function unpackFields(fields: LogFields): LogFields {
  return isPacked(fields.error) ? { ...fields, error: unpackError(fields.error) } : fields
}

function isPacked(error: unknown): error is PackedError {
  return typeof error === 'object' && error !== null && 'syscall' in error && !(error instanceof Error)
}

function unpackError({ message, stack, code, syscall, cause }: PackedError): Error {
  const error = new Error(message, cause === undefined ? {} : { cause: unpackError(cause) })
  if (stack !== undefined) error.stack = stack
  return Object.assign(error, code !== undefined && { code }, syscall !== undefined && { syscall })
}
