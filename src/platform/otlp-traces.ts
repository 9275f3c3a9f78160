// Spans by the OpenTelemetry library, written as OTLP and sent over HTTP. Loaded by `traces.ts`, and only when traces are
// on. They go out through our own guarded module, not through the library's client.

import { randomUUID } from 'node:crypto'
import { type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from './config.ts'
import { createEgress, type EgressResult } from './egress.ts'
import { toHostAndPort } from './egress-target.ts'
import { type Attributes, kindOfError, type OpenSpan, runOutsideSpan, type Tracing } from './live-span.ts'
import type { Log } from './log.ts'
import { programVersion } from './program-version.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, inside: SpanKind.INTERNAL } as const
/** Spans that wait for the next batch; more are dropped by the library. */
const waitingMax = 8_192
const batchMax = 512
const batchMs = 2_000
const sendWithinMs = 10_000
const answerBytesMax = 65_536
/** A collector that is away for hours must not fill the log. */
const reportEveryMs = 60_000

export function openOtlpTraces(config: Config, endpoint: string, log: Log): Tracing {
  const { serviceName, resource, sampler, samplerArg } = config.traces
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': programVersion,
      'service.instance.id': randomUUID(),
      ...resource,
      'service.name': serviceName,
    }),
    sampler: samplerOf(sampler, samplerArg),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: exporterTo(config, endpoint, log),
        maxQueueSize: waitingMax,
        maxExportBatchSize: batchMax,
        scheduledDelayMillis: batchMs,
        // Never reached: our own limit comes first, and states the reason.
        exportTimeoutMillis: sendWithinMs * 2,
      }),
    ],
  })
  const tracer = provider.getTracer('landfall', programVersion)
  return {
    start: (name, { kind = 'inside', attributes, parent, links = [], within }) => {
      const before = parent === undefined ? (within?.traceparent ?? null) : parent
      const about = before === null ? null : parseTraceParent(before)
      const context = about === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...about, isRemote: true })
      const options = { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(linkTo) }
      return wrapSpan(tracer.startSpan(name, options, context))
    },
    close: () => provider.shutdown(),
  }
}

function linkTo(traceparent: string): readonly Link[] {
  const context = parseTraceParent(traceparent)
  return context === null ? [] : [{ context }]
}

function wrapSpan(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0
  let isLive = true
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`,
    isRecorded,
    isLive: () => isLive,
    set: (attributes: Attributes) => void span.setAttributes({ ...attributes }),
    fail: (kind) => {
      span.setAttribute('error.type', kind)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => {
      isLive = false
      span.end()
    },
  }
}

function samplerOf(name: Config['traces']['sampler'], share: number): Sampler {
  const plain = (kind: string): Sampler =>
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share)
  const [, kind] = /^parentbased_(.+)$/.exec(name) ?? []
  return kind === undefined ? plain(name) : new ParentBasedSampler({ root: plain(kind) })
}

/** A batch that the collector does not accept is lost, and the log states the number of its spans. */
function exporterTo(config: Config, endpoint: string, log: Log): SpanExporter {
  const { headers, protocol } = config.traces
  const url = `${endpoint}/v1/traces`
  const serializer = protocol === 'http/json' ? JsonTraceSerializer : ProtobufTraceSerializer
  const type = protocol === 'http/json' ? 'application/json' : 'application/x-protobuf'
  const egress = createEgress({
    // The operator named this place, and no other is reached. It may be anywhere.
    allowedNetworks: ['0.0.0.0/0', '::/0'],
    allowLoopback: true,
    only: [toHostAndPort(url)],
    connectTimeoutMs: config.network.connectTimeoutMs,
  })
  const lost = { spans: 0, why: '', toldMs: Number.NEGATIVE_INFINITY }
  const noteLostSpans = (spans: number, why: string): void => {
    lost.spans += spans
    lost.why = why
    if (performance.now() - lost.toldMs >= reportEveryMs) reportLostSpans()
  }
  const reportLostSpans = (): void => {
    log.warn('traces.lost', { spans: lost.spans, why: lost.why })
    lost.spans = 0
    lost.toldMs = performance.now()
  }
  const send = async (spans: ReadableSpan[]): Promise<void> => {
    const body = serializer.serializeRequest(spans)
    const why = faultOf(
      await egress.request({
        url,
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        ...(body !== undefined && { body }),
        timeoutMs: sendWithinMs,
        maxBytes: answerBytesMax,
        isBodyExtra: true,
        tenant: 'traces',
      }),
    )
    if (why !== null) noteLostSpans(spans.length, why)
  }
  return {
    export: (spans, done) => {
      // Always a success for the library: lost spans are reported here, and the library would throw at the end.
      runOutsideSpan(() => send(spans))
        .catch((error: unknown) => noteLostSpans(spans.length, kindOfError(error)))
        .finally(() => done({ code: ExportResultCode.SUCCESS }))
    },
    shutdown: async () => {
      if (lost.spans > 0) reportLostSpans()
      egress.close()
    },
  }
}

function faultOf(result: EgressResult): string | null {
  if (result.kind !== 'answer') return result.kind === 'refused' ? result.reason : result.message
  return result.status >= 200 && result.status < 300 ? null : `the collector answers ${result.status}`
}
