// The work of the process as spans of OpenTelemetry. Off unless the operator names a collector: when it is off, nothing
// of the library is loaded, and `span` only calls the given work. It is the only module of traces that other folders
// import; each thread of a process has its own.

import type { Config } from './config.ts'
import {
  findLive,
  kindOfError,
  liveTraceparent,
  type OpenSpan,
  runInSpan,
  type SpanHandle,
  type SpanStart,
  type Tracing,
} from './live-span.ts'
import type { Log } from './log.ts'

let tracing: Tracing | null = null
const silent: SpanHandle = { set: () => {}, fail: () => {} }

/**
 * Loads the library and begins, if the settings say so. Returns a function that must be called at the end; it sends the
 * waiting spans. Call this before pools or servers are opened that must be traced.
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
export async function withSpan<T>(
  name: string,
  start: () => SpanStart,
  work: (span: SpanHandle) => Promise<T>,
): Promise<T> {
  const opened = openSpan(name, start)
  if (opened === null) return work(silent)
  try {
    return await runInSpan(opened, () => work(opened))
  } catch (error) {
    opened.fail(kindOfError(error))
    throw error
  } finally {
    opened.end()
  }
}

/** The same for what is only of interest within something else; without a live, recorded span it is left out. */
export function withChildSpan<T>(
  name: string,
  start: () => SpanStart,
  work: (span: SpanHandle) => Promise<T>,
): Promise<T> {
  return liveTraceparent() === null ? work(silent) : withSpan(name, start, work)
}

/** For work that one function cannot hold. The caller must end it. Null when there are no traces. */
export function openSpan(name: string, start: () => SpanStart): OpenSpan | null {
  return tracing === null ? null : tracing.start(name, { ...start(), within: findLive() })
}
