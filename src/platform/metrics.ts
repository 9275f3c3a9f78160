// What the process counts, for Prometheus. Each business event has one method, and nothing else moves its counter: it
// writes the log line as well, so that the two cannot drift apart. What happens in a transaction is told after the commit.
// A method that nobody calls fails `test/platform/metrics.test.ts`.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Log, LogEvent, LogFields, LogLevel } from './log.ts'

type BusinessEvent = {
  /** In the log; the counter is called after it, `landfall_look_finished_total`. */
  readonly event: LogEvent
  readonly level: LogLevel
  readonly help: string
  /** Few values each: a label with an id in it would make a time series of every shipment. */
  readonly labels: readonly string[]
}

/** By the method that tells of them. */
export const businessEvents = {
  attemptsRefused: {
    event: 'attempts.refused',
    level: 'warn',
    help: 'Passwords, codes and keys that were not even looked at, because too many were tried.',
    labels: ['kind'],
  },
  connectionsRefused: {
    event: 'connections.refused',
    level: 'debug',
    help: 'Connections of addresses that hold as many as they may.',
    labels: [],
  },
  deliveryAttempted: {
    event: 'delivery.attempted',
    level: 'info',
    help: 'Attempts to deliver a notification.',
    labels: ['outcome'],
  },
  deliveryGivenUp: {
    event: 'delivery.given_up',
    level: 'warn',
    help: 'Notifications whose attempts are used up.',
    labels: [],
  },
  eventEmitted: {
    event: 'event.emitted',
    level: 'debug',
    help: 'Domain events, by what happened.',
    labels: ['name'],
  },
  historyMended: {
    event: 'history.mended',
    level: 'debug',
    help: 'Requests and shipments that were brought up to mended readers and merge rules.',
    labels: ['kind', 'outcome'],
  },
  issueRaised: {
    event: 'issue.raised',
    level: 'info',
    help: 'Things in a source that could not be read.',
    labels: ['scac', 'kind'],
  },
  jobFailed: {
    event: 'job.failed',
    level: 'error',
    help: 'Jobs that ended in an unexpected error.',
    labels: ['job'],
  },
  journeyProjected: {
    event: 'journey.projected',
    level: 'debug',
    help: 'Shipments projected anew, by whether they were made, changed or left unchanged.',
    labels: ['outcome'],
  },
  keyRefused: {
    event: 'key.refused',
    level: 'warn',
    help: 'Requests with a key that could not be verified.',
    labels: [],
  },
  limitsRefused: {
    event: 'limits.refused',
    level: 'info',
    help: 'Requests above the limit of a bucket.',
    labels: ['bucket'],
  },
  limitsStoreFailed: {
    event: 'limits.store_failed',
    level: 'warn',
    help: 'Turns that the store of the limits could not count, so that the next one did.',
    labels: ['store'],
  },
  lineLeftAlone: {
    event: 'line.left_alone',
    level: 'warn',
    help: 'Times that a carrier asked to be left alone for a while (Retry-After).',
    labels: ['scac'],
  },
  lineMisread: {
    event: 'line.misread',
    level: 'error',
    help: 'Times that suddenly less of what a carrier answers was understood.',
    labels: ['scac'],
  },
  lookFailed: {
    event: 'look.failed',
    level: 'warn',
    help: 'Looks at a carrier that brought nothing.',
    labels: ['scac', 'reason'],
  },
  lookFinished: {
    event: 'look.finished',
    level: 'info',
    help: 'Looks at a carrier that brought an answer.',
    labels: ['scac', 'outcome'],
  },
  mailDropped: {
    event: 'mail.dropped',
    level: 'error',
    help: 'Mails that no mail server took while what they carry was good.',
    labels: ['kind'],
  },
  mailPostponed: {
    event: 'mail.postponed',
    level: 'warn',
    help: 'Mails that the mail server did not take just now.',
    labels: ['kind'],
  },
  mailSent: {
    event: 'mail.sent',
    level: 'info',
    help: 'Mails that the mail server has taken.',
    labels: ['kind'],
  },
  oauthGrantEnded: {
    event: 'oauth.grant_ended',
    level: 'info',
    help: 'Connected apps that were shut out, by why.',
    labels: ['because'],
  },
  oauthKeyRotated: {
    event: 'oauth.key_rotated',
    level: 'info',
    help: 'Keys made for the authorization server, by why.',
    labels: ['because'],
  },
  requestAnswered: {
    event: 'request.answered',
    level: 'info',
    help: 'Requests answered by the API.',
    labels: ['method', 'route', 'status'],
  },
  requestCrashed: {
    event: 'request.crashed',
    level: 'error',
    help: 'Requests that ended in an unexpected error.',
    labels: ['route'],
  },
  signInAccepted: { event: 'sign_in.accepted', level: 'info', help: 'People who signed in.', labels: [] },
  signInRefused: {
    event: 'sign_in.refused',
    level: 'warn',
    help: 'Passwords and codes that were not right.',
    labels: [],
  },
  snapshotAbsorbed: {
    event: 'snapshot.absorbed',
    level: 'debug',
    help: 'Snapshots read into claims, once for each request that listens.',
    labels: ['scac'],
  },
  streamClosed: {
    event: 'stream.closed',
    level: 'info',
    help: 'Event streams that ended, whoever ended them.',
    labels: [],
  },
  streamOpened: { event: 'stream.opened', level: 'info', help: 'Event streams that began.', labels: [] },
  trackingStopped: {
    event: 'tracking.stopped',
    level: 'info',
    help: 'Shipments whose tracking stopped.',
    labels: ['reason'],
  },
  trackingRequestChanged: {
    event: 'tracking_request.changed',
    level: 'info',
    help: 'Tracking requests by the status they came to.',
    labels: ['status'],
  },
  trackingRequestCreated: {
    event: 'tracking_request.created',
    level: 'info',
    help: 'Tracking requests made; `scac` is `unknown` where the line is to be found.',
    labels: ['scac', 'type'],
  },
  vesselArrived: {
    event: 'vessel.arrived',
    level: 'info',
    help: 'Shipments whose ship was seen to arrive.',
    labels: ['feed'],
  },
  webhookDisabled: {
    event: 'webhook.disabled',
    level: 'warn',
    help: 'Webhooks disabled because they only failed.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, BusinessEvent>>

export type BusinessEventName = keyof typeof businessEvents
type LabelsOf<Name extends BusinessEventName> = Readonly<
  Record<(typeof businessEvents)[Name]['labels'][number], string>
>

/**
 * Labels, and fields that are logged only; `durationMs` also goes into a histogram of seconds. It counts as `times`,
 * once where that is not said. The name of the event, its time and level are the line's own.
 */
type Told<Name extends BusinessEventName> = LabelsOf<Name> &
  LogFields & {
    readonly durationMs?: number
    readonly times?: number
    readonly event?: never
    readonly at?: never
    readonly level?: never
  }

/** Logs and counts what happened. */
type BusinessMetrics = { readonly [Name in BusinessEventName]: (told: Told<Name>) => void }

export type Metrics = BusinessMetrics & {
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
  const methods = Object.entries(businessEvents).map(([name, event]) => [
    name,
    countInto(registry, log, event),
  ])
  return {
    ...(Object.fromEntries(methods) as BusinessMetrics), // one method for each event
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

type Fields = LogFields & { readonly durationMs?: number; readonly times?: number }

function countInto(
  registry: Registry,
  log: Log,
  { event, level, help, labels }: BusinessEvent,
): (told: Fields) => void {
  const name = `landfall_${event.replaceAll('.', '_')}`
  const shared = { labelNames: labels, registers: [registry] }
  const counter = new Counter({ ...shared, name: `${name}_total`, help })
  const histogram = new Histogram({
    ...shared,
    name: `${name}_seconds`,
    help: `Duration: ${help}`,
    buckets: secondsBuckets,
  })
  return (told) => {
    log[level](event, told)
    const values = Object.fromEntries(labels.map((label) => [label, String(told[label])]))
    counter.inc(values, told.times ?? 1)
    if (told.durationMs !== undefined) histogram.observe(values, told.durationMs / 1_000)
  }
}
