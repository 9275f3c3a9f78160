// What a thread logs and counts is logged and counted by the one that started it: one log, one page of /metrics. Errors go
// across with their code, which a copy made by the runtime leaves out.

import { type BusinessEventName, businessEvents } from './business-events.ts'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'
import type { Metrics } from './metrics.ts'

export type ThreadNews =
  | {
      readonly kind: 'logged'
      readonly level: LogLevel
      readonly event: LogEvent
      readonly fields: LogFields
    }
  | { readonly kind: 'counted'; readonly name: BusinessEventName; readonly told: LogFields }

type Send = (news: ThreadNews) => void

/** In the thread. `debug`: also what nobody reads unless asked for. */
export function logAcross(send: Send, { debug }: { readonly debug: boolean }): Log {
  const across =
    (level: LogLevel) =>
    (event: LogEvent, fields: LogFields = {}): void =>
      send({ kind: 'logged', level, event, fields: pack(fields) })
  return {
    debug: debug ? across('debug') : () => {},
    info: across('info'),
    warn: across('warn'),
    error: across('error'),
  }
}

/** In the thread. Nothing is asked of it: gauges and the page belong to the one that started it. */
export function countAcross(send: Send): Metrics {
  const methods = Object.keys(businessEvents).map((name) => [
    name,
    (told: LogFields) => send({ kind: 'counted', name: name as BusinessEventName, told: pack(told) }),
  ])
  return {
    ...(Object.fromEntries(methods) as Metrics), // one method for each event
    watch: () => {},
    contentType: 'text/plain',
    write: async () => '',
  }
}

/** In the one that started it. */
export function tellNews(
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  news: ThreadNews,
): void {
  if (news.kind === 'logged') log[news.level](news.event, unpack(news.fields))
  // Its labels are those of its own name: they come from the same method in the thread.
  else (metrics[news.name] as (told: LogFields) => void)(unpack(news.told))
}

/** What is asked of an error when its cause is looked for. */
interface PackedError {
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly syscall: string | undefined
  readonly cause: PackedError | undefined
}

function pack(fields: LogFields): LogFields {
  return fields.error instanceof Error ? { ...fields, error: packError(fields.error) } : fields
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

function unpack(fields: LogFields): LogFields {
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
