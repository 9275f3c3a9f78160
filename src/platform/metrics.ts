// What the process counts, for Prometheus. A business event is written through here only: one call makes the log line and
// moves the counter, so that the two cannot drift apart.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'

type BusinessEvent = {
  readonly level: LogLevel
  readonly help: string
  /** Few values each: a label with an id in it would make a time series of every shipment. */
  readonly labels: readonly string[]
}

export const businessEvents = {
  'attempts.refused': {
    level: 'warn',
    help: 'Passwords, codes and keys that were not even looked at, because too many were tried.',
    labels: ['kind'],
  },
  'connections.refused': {
    level: 'debug',
    help: 'Connections of addresses that hold as many as they may.',
    labels: [],
  },
  'delivery.attempted': { level: 'info', help: 'Attempts to deliver a notification.', labels: ['outcome'] },
  'delivery.given_up': { level: 'warn', help: 'Notifications whose attempts are used up.', labels: [] },
  'event.emitted': { level: 'info', help: 'Domain events.', labels: ['event'] },
  'history.mended': {
    level: 'debug',
    help: 'Requests and shipments that were brought up to mended readers and merge rules.',
    labels: ['kind', 'outcome'],
  },
  'issue.raised': {
    level: 'info',
    help: 'Things in a source that could not be read.',
    labels: ['scac', 'kind'],
  },
  'job.failed': { level: 'error', help: 'Jobs that ended in an unexpected error.', labels: ['job'] },
  'journey.projected': { level: 'info', help: 'Shipments projected anew.', labels: ['outcome'] },
  'key.refused': { level: 'warn', help: 'Requests with a key that could not be verified.', labels: [] },
  'limits.refused': { level: 'info', help: 'Requests above the limit of a bucket.', labels: ['bucket'] },
  'limits.store_failed': {
    level: 'warn',
    help: 'Turns that the store of the limits could not count, so that the next one did.',
    labels: ['store'],
  },
  'line.left_alone': {
    level: 'warn',
    help: 'Times that a carrier asked to be left alone for a while (Retry-After).',
    labels: ['scac'],
  },
  'line.misread': {
    level: 'error',
    help: 'Times that suddenly less of what a carrier answers was understood.',
    labels: ['scac'],
  },
  'look.failed': {
    level: 'warn',
    help: 'Looks at a carrier that brought nothing.',
    labels: ['scac', 'reason'],
  },
  'look.finished': {
    level: 'info',
    help: 'Looks at a carrier that brought an answer.',
    labels: ['scac', 'outcome'],
  },
  'mail.dropped': {
    level: 'error',
    help: 'Mails that no mail server took while what they carry was good.',
    labels: ['kind'],
  },
  'mail.postponed': {
    level: 'warn',
    help: 'Mails that the mail server did not take just now.',
    labels: ['kind'],
  },
  'mail.sent': { level: 'info', help: 'Mails that the mail server has taken.', labels: ['kind'] },
  'oauth.grant_ended': {
    level: 'info',
    help: 'Connected apps that were shut out, by why.',
    labels: ['because'],
  },
  'oauth.key_rotated': {
    level: 'info',
    help: 'Keys made for the authorization server, by why.',
    labels: ['because'],
  },
  'request.answered': {
    level: 'info',
    help: 'Requests answered by the API.',
    labels: ['method', 'route', 'status'],
  },
  'request.crashed': {
    level: 'error',
    help: 'Requests that ended in an unexpected error.',
    labels: ['route'],
  },
  'sign_in.accepted': { level: 'info', help: 'People who signed in.', labels: [] },
  'sign_in.refused': {
    level: 'warn',
    help: 'Passwords and codes that were not right.',
    labels: [],
  },
  'snapshot.absorbed': { level: 'info', help: 'Snapshots read into claims.', labels: ['scac'] },
  'stream.closed': { level: 'info', help: 'Event streams that ended, whoever ended them.', labels: [] },
  'stream.opened': { level: 'info', help: 'Event streams that began.', labels: [] },
  'tracking.stopped': { level: 'info', help: 'Shipments whose tracking stopped.', labels: ['reason'] },
  'tracking_request.changed': {
    level: 'info',
    help: 'Tracking requests by the status they came to.',
    labels: ['status'],
  },
  'tracking_request.created': { level: 'info', help: 'Tracking requests made.', labels: ['scac', 'type'] },
  'vessel.arrived': {
    level: 'info',
    help: 'Shipments whose ship was seen to arrive.',
    labels: ['feed'],
  },
  'webhook.disabled': { level: 'warn', help: 'Webhooks disabled because they only failed.', labels: [] },
} as const satisfies Partial<Record<LogEvent, BusinessEvent>>

export type BusinessEventName = keyof typeof businessEvents
type LabelsOf<Event extends BusinessEventName> = Readonly<
  Record<(typeof businessEvents)[Event]['labels'][number], string>
>

export type Metrics = {
  /**
   * Logs the event and counts it, `times` over where it is said. Fields are logged only; `durationMs` also goes into a
   * histogram of seconds.
   */
  readonly record: <Event extends BusinessEventName>(
    event: Event,
    labels: LabelsOf<Event>,
    fields?: LogFields & { readonly durationMs?: number; readonly times?: number },
  ) => void
  /** A value that is asked for when Prometheus reads: a queue's length, an age. */
  readonly watch: (gauge: {
    readonly name: string
    readonly help: string
    readonly read: () => number | Promise<number>
  }) => void
  /** The page of /metrics and its media type. */
  readonly contentType: string
  readonly write: () => Promise<string>
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]

export function createMetrics(log: Log): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  for (const [event, { help, labels }] of Object.entries(businessEvents)) {
    const name = `landfall_${event.replaceAll('.', '_')}`
    counters.set(
      event,
      new Counter({ name: `${name}_total`, help, labelNames: labels, registers: [registry] }),
    )
    histograms.set(
      event,
      new Histogram({
        name: `${name}_seconds`,
        help: `Duration: ${help}`,
        labelNames: labels,
        buckets: secondsBuckets,
        registers: [registry],
      }),
    )
  }
  return {
    record(event, labels, fields = {}) {
      log[businessEvents[event].level](event, { ...labels, ...fields })
      counters.get(event)?.inc(labels, fields.times ?? 1)
      if (typeof fields.durationMs === 'number')
        histograms.get(event)?.observe(labels, fields.durationMs / 1_000)
    },
    watch({ name, help, read }) {
      new Gauge({
        name: `landfall_${name}`,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    contentType: registry.contentType,
    write: () => registry.metrics(),
  }
}
