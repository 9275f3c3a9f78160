// The log of the process: one JSON line per event. The event's name is from a closed list. A line has ids and
// durations, and never a secret or a payload.
import { type DestinationStream, pino } from 'pino'
import { liveIds } from './live-span.ts'

/**
 * The names of all events. Those that are also counted are written through `metrics.ts` only. Add new names here, in
 * alphabetical order.
 */
export const logEvents = [
  'attempts.refused',
  'box.returned',
  'ceiling.reached',
  'channel.ask_failed',
  'channel.asked',
  'connections.refused',
  'credential.unusable',
  'credential.without_ceiling',
  'database.started',
  'database.unreachable',
  'database.zones_differ',
  'delivery.attempted',
  'delivery.given_up',
  'delivery.not_recorded',
  'document.failed',
  'document.handed_in',
  'document.model_asked',
  'document.model_tokens',
  'document.network_open',
  'document.read',
  'email.certificate_unusable',
  'email.connection_failed',
  'email.part_settled',
  'email.refused',
  'email.taken',
  'event.emitted',
  'feed.closed',
  'feed.opened',
  'file.failed',
  'file.taken',
  'files.lost',
  'fold_thread.ended',
  'history.mended',
  'history.walked',
  'issue.raised',
  'job.failed',
  'idempotency.answer_lost',
  'journey.projected',
  'key.refused',
  'leases.released',
  'limits.changed',
  'limits.refused',
  'limits.store_failed',
  'line.left_alone',
  'line.misread',
  'line.shape_changed',
  'line.understood_again',
  'look.failed',
  'look.finished',
  'looks.pruned',
  'snapshots.packed',
  'snapshots.moved',
  'snapshots.damaged',
  'member.ignored',
  'members.ignored',
  'mcp.failed',
  'mcp.tool_called',
  'mail.dropped',
  'mail.not_sent',
  'mail.postponed',
  'mail.sent',
  'mention.expired',
  'migration.applied',
  'milestone.untold',
  'oauth.grant_ended',
  'oauth.issuer_failed',
  'sign_in.elsewhere_away',
  'sign_in.elsewhere_refused',
  'oauth.key_rotated',
  'oauth.keys_dropped',
  'part.dropped',
  'positions.pruned',
  'process.ended',
  'process.not_replaced',
  'process.replaced',
  'processes.replaced',
  'processes.replacing',
  'processes.started',
  'reference.imports_taken',
  'reference.loaded',
  'read.moved',
  'read.placed',
  'replica.not_used',
  'replica.used',
  'request.answered',
  'request.crashed',
  'request.refused',
  'sandbox.ended',
  'server.not_ready',
  'server.paused',
  'server.ready',
  'server.resumed',
  'server.started',
  'server.stopped',
  'server.stopping',
  'setting.deprecated',
  'sign_in.accepted',
  'sign_in.refused',
  'snapshot.absorbed',
  'statement.contradicted',
  'stream.closed',
  'stream.opened',
  'tracking_request.changed',
  'tracking_request.created',
  'traces.lost',
  'tracking.stopped',
  'trouble.began',
  'trouble.lasts',
  'trouble.over',
  'vessel.arrived',
  'webhook.created',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.headers_sealed',
  'webhook.recovered',
  'webhook.secret_rotated',
  'webhook.updated',
  'worker.taken_over',
] as const
export type LogEvent = (typeof logEvents)[number]

/** Ids, names, numbers and durations (`…Ms`). `error` is written as its message and stack, cleaned of secrets. */
export type LogFields = {
  readonly error?: unknown
  readonly [name: string]: unknown
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export type Log = { readonly [Level in LogLevel]: (event: LogEvent, fields?: LogFields) => void }

/** Writes to standard output when no destination is given. */
export function createLog(options: {
  readonly level: LogLevel | 'silent'
  readonly destination?: DestinationStream
  /** Name of the process, in each line; none when it is empty. */
  readonly process?: string
}): Log {
  const logger = pino(
    {
      level: options.level,
      base: options.process ? { process: options.process } : null,
      messageKey: 'event',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (fields) => hideSecretFields(fields, 3) },
      serializers: { error: writeError },
      // A new object for each line, because Pino adds the fields to it.
      mixin: () => ({ ...liveIds() }),
    },
    options.destination ?? openLogDestination(1),
  )
  return {
    debug: (event, fields) => logger.debug(fields ?? {}, event),
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
  }
}

/** Maximum bytes of lines that wait because they cannot be written. Lines after that are dropped. */
const waitingBytesMax = 4_194_304

/**
 * `dest` is a path, or the number of an open file. When it cannot be written (a full disk) the lines wait and the
 * process continues.
 */
export function openLogDestination(dest: string | number): ReturnType<typeof pino.destination> {
  const stream = pino.destination({ dest, sync: false, mode: 0o600, maxLength: waitingBytesMax })
  // The next line tries again. Without a listener the error would end the process.
  stream.on('error', () => {})
  return stream
}

const secretNames = new Set([
  'authorization',
  'Authorization',
  'apiKey',
  'api_key',
  'client_secret',
  'clientSecret',
  'cookie',
  'key',
  'password',
  'secret',
  'token',
])

/**
 * Used instead of Pino's own redaction, which walks every wildcard path through every line and needs 22 µs per line.
 * This needs less than 1 µs, because most fields are plain values.
 */
function hideSecretFields(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let visible = fields
  for (const name in fields) {
    const value = fields[name]
    const hidden = secretNames.has(name) ? '[hidden]' : depth > 1 ? hideWithin(value, depth - 1) : value
    if (hidden === value) continue
    if (visible === fields) visible = { ...fields }
    visible[name] = hidden
  }
  return visible
}

function hideWithin(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (Array.isArray(value)) return value.map((each) => hideWithin(each, depth))
  return hideSecretFields(value as Record<string, unknown>, depth)
}

function writeError(error: unknown): {
  readonly message: string
  readonly stack?: string
  readonly code?: unknown
} {
  if (!(error instanceof Error)) return { message: hideSecrets(String(error)) }
  const code = 'code' in error ? { code: error.code } : {}
  return { message: hideSecrets(error.message), stack: hideSecrets(error.stack ?? ''), ...code }
}

/** Hides secrets inside a sentence: passwords in URLs, webhook secrets, credentials of a header. */
export function hideSecrets(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[hidden]@')
    .replace(/\bwhsec_[A-Za-z0-9+/=_-]+/g, '[hidden]')
    .replace(/\b(token|bearer|basic)\s+[A-Za-z0-9+/=_.~-]{8,}/gi, '$1 [hidden]')
}
