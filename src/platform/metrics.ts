// What the process counts, for Prometheus. Each business event has one method, which is the only code that increments
// its counter. The method also writes the log line, so that log and counter always agree. For an event in a transaction
// the method is called after the commit. `test/platform/metrics.test.ts` fails when nothing calls a method.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BusinessEvent } from './business-event.ts'
import { type BusinessEventName, businessEvents } from './business-events.ts'
import type { Log, LogFields } from './log.ts'
import { programVersion } from './program-version.ts'
import { createGroupMetrics, hasSiblings } from './siblings.ts'

type Event<Name extends BusinessEventName> = (typeof businessEvents)[Name]

type LabelsOf<Name extends BusinessEventName> = Readonly<
  Record<
    | Event<Name>['labels'][number]
    | (Event<Name> extends { readonly secondsBy: readonly (infer Label extends string)[] } ? Label : never),
    string
  >
>

/**
 * Labels, and fields that are only logged. `durationMs` also goes into the event's histogram of seconds, if it has one.
 * The counter grows by `times`, or by one without it. `event`, `at` and `level` are set by the log itself.
 */
type EventFields<Name extends BusinessEventName> = LabelsOf<Name> &
  LogFields & {
    readonly durationMs?: number
    readonly times?: number
    readonly event?: never
    readonly at?: never
    readonly level?: never
  }

/** Logs and counts what happened. */
type BusinessMetrics = { readonly [Name in BusinessEventName]: (fields: EventFields<Name>) => void }

/** Null means that the value is not known; it is then omitted from the page. */
export interface Measurement<Name extends string> {
  readonly of: string
  readonly values: Readonly<Record<Name, number | null>>
}

export type Metrics = BusinessMetrics & {
  /** Adds a gauge that is read when Prometheus scrapes, such as the length of a queue or an age. */
  readonly watch: (gauge: {
    readonly name: string
    readonly help: string
    readonly read: () => number | Promise<number>
  }) => void
  /**
   * Adds gauges for several things. A label with few values distinguishes the things. One reading gives the values of
   * all gauges.
   */
  readonly watchEach: <Name extends string>(of: {
    readonly label: string
    readonly gauges: Readonly<Record<Name, string>>
    readonly read: () => Promise<readonly Measurement<Name>[]>
  }) => void
  /** The page of /metrics and its media type. */
  readonly contentType: string
  readonly write: () => Promise<string>
}

/** With the bucket for everything longer, eight. The alert rules use 2.5. */
const secondsBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 10]

/**
 * The figures of Node that an operator needs: is it busy, does its memory grow, does it run out of files, when did it
 * start. Also the figures with which prom-client reads them: the first gauge in one of its files sets the others.
 */
const processFigures = [
  'process_cpu_user_seconds_total',
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_total_bytes',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
  'nodejs_version_info',
]

/** `process`: name of the process, as a label of every figure; none when it is empty. */
export function createMetrics(log: Log, process = ''): Metrics {
  const registry = new Registry()
  if (process !== '') registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  for (const { name } of registry.getMetricsAsArray())
    if (!processFigures.includes(name)) registry.removeSingleMetric(name)
  new Gauge({
    name: 'landfall_info',
    help: 'Always 1; the label is the version of the process.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: programVersion }, 1)
  const methods = Object.entries(businessEvents).map(([name, event]) => [
    name,
    createEventRecorder(registry, log, event),
  ])
  return {
    ...(Object.fromEntries(methods) as BusinessMetrics), // safe: made from every entry of businessEvents
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
    watchEach({ label, gauges, read }) {
      let reading: ReturnType<typeof read> | null = null
      const readOnce = (): ReturnType<typeof read> => {
        reading ??= read().finally(() => {
          reading = null
        })
        return reading
      }
      for (const [name, help] of entriesOf(gauges)) {
        new Gauge({
          name: `landfall_${name}`,
          help,
          labelNames: [label],
          registers: [registry],
          async collect() {
            const measured = await readOnce()
            this.reset()
            for (const { of, values } of measured) if (values[name] !== null) this.set({ [label]: of }, values[name])
          },
        })
      }
    },
    contentType: registry.contentType,
    write: hasSiblings ? createGroupMetrics(() => registry.getMetricsAsJSON()) : () => registry.metrics(),
  }
}

function entriesOf<Name extends string>(of: Readonly<Record<Name, string>>): readonly (readonly [Name, string])[] {
  return Object.entries(of) as [Name, string][] // safe: `of` has no keys besides those of its type
}

type Fields = LogFields & { readonly durationMs?: number; readonly times?: number }

/**
 * A series appears with the first event that it counts: a page of all possible series is long and has no information.
 */
function createEventRecorder(
  registry: Registry,
  log: Log,
  { event, level, help, labels, secondsBy, startsAtZero }: BusinessEvent,
): (fields: Fields) => void {
  const name = `landfall_${event.replaceAll('.', '_')}`
  const registers = [registry]
  const openCounter = () => new Counter({ name: `${name}_total`, help, labelNames: labels, registers })
  const openHistogram = (labelNames: readonly string[]) =>
    new Histogram({
      name: `${name}_seconds`,
      help: `Duration: ${help}`,
      labelNames,
      buckets: secondsBuckets,
      registers,
    })
  let counter = startsAtZero === true ? openCounter() : null
  let histogram: ReturnType<typeof openHistogram> | null = null
  return (fields) => {
    log[level](event, fields)
    const valuesOf = (names: readonly string[]) =>
      Object.fromEntries(names.map((label) => [label, String(fields[label])]))
    counter ??= openCounter()
    counter.inc(valuesOf(labels), fields.times ?? 1)
    if (fields.durationMs === undefined || secondsBy === undefined) return
    histogram ??= openHistogram(secondsBy)
    histogram.observe(valuesOf(secondsBy), fields.durationMs / 1_000)
  }
}
