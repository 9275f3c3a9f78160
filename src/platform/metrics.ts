// What the process counts, for Prometheus. Each business event has one method, and nothing else moves its counter: it
// writes the log line as well, so that the two cannot drift apart. What happens in a transaction is told after the commit.
// A method that nobody calls fails `test/platform/metrics.test.ts`.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type BusinessEvent, type BusinessEventName, businessEvents } from './business-events.ts'
import type { Log, LogFields } from './log.ts'

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

/** Null: not known, so that nothing is said of it. */
export interface Measured<Name extends string> {
  readonly of: string
  readonly values: Readonly<Record<Name, number | null>>
}

export type Metrics = BusinessMetrics & {
  /** A value that is asked for when Prometheus reads: a queue's length, an age. */
  readonly watch: (gauge: {
    readonly name: string
    readonly help: string
    readonly read: () => number | Promise<number>
  }) => void
  /** Values of several things, told apart by a label of few values; one reading serves all the gauges. */
  readonly watchEach: <Name extends string>(of: {
    readonly label: string
    readonly gauges: Readonly<Record<Name, string>>
    readonly read: () => Promise<readonly Measured<Name>[]>
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
            for (const { of, values } of measured)
              if (values[name] !== null) this.set({ [label]: of }, values[name])
          },
        })
      }
    },
    contentType: registry.contentType,
    write: () => registry.metrics(),
  }
}

function entriesOf<Name extends string>(
  of: Readonly<Record<Name, string>>,
): readonly (readonly [Name, string])[] {
  return Object.entries(of) as [Name, string][] // its own names
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
