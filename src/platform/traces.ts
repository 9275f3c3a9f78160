// What the process tells of its work as spans of OpenTelemetry. Off unless the operator names a collector: then nothing
// of the library is loaded, and `span` is a call of the work that it gets. The only module that the other rooms know of
// traces; each thread of a process has its own.

import type { Config } from './config.ts'
import {
  findLive,
  kindOfError,
  liveTraceparent,
  type OpenSpan,
  type SpanStart,
  type ToldSpan,
  type Tracing,
  within,
} from './live-span.ts'
import type { Log } from './log.ts'

let tracing: Tracing | null = null
const silent: ToldSpan = { set: () => {}, fail: () => {} }

/**
 * Loads the library and begins, if the settings say so. Returns what must be called at the end; it sends what waits.
 * Whatever opens pools or servers that are to be traced comes after it.
 */
export async function openTraces(config: Config, log: Log): Promise<() => Promise<void>> {
  const { endpoint, exporter, sdkDisabled } = config.traces
  if (endpoint === null || exporter === 'none' || sdkDisabled === 'true') return async () => {}
  const { openOtlpTraces } = await import('./otlp-traces.ts')
  const opened = openOtlpTraces(config, endpoint, log)
  tracing = opened
  return async () => {
    tracing = null
    await opened.close()
  }
}

export function isTracing(): boolean {
  return tracing !== null
}

/** Runs `work` in a span. What it throws is noted by its kind and thrown on. */
export async function span<T>(
  name: string,
  start: () => SpanStart,
  work: (span: ToldSpan) => Promise<T>,
): Promise<T> {
  const opened = openSpan(name, start)
  if (opened === null) return work(silent)
  try {
    return await within(opened, () => work(opened))
  } catch (error) {
    opened.fail(kindOfError(error))
    throw error
  } finally {
    opened.end()
  }
}

/** The same for what is only of interest within something else; without a live, recorded span it is left out. */
export function spanWithin<T>(
  name: string,
  start: () => SpanStart,
  work: (span: ToldSpan) => Promise<T>,
): Promise<T> {
  return liveTraceparent() === null ? work(silent) : span(name, start, work)
}

/** For work that one function cannot hold. The caller must end it. Null when there are no traces. */
export function openSpan(name: string, start: () => SpanStart): OpenSpan | null {
  return tracing === null ? null : tracing.start(name, { ...start(), within: findLive() })
}
