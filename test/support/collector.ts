/** A collector of traces on loopback: it takes OTLP over HTTP as JSON, and keeps every request as it came. */

import type { TestContext } from 'node:test'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { openTraces } from '../../src/platform/traces.ts'
import { serve } from './loopback-server.ts'

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly links?: readonly { readonly traceId: string }[]
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

export interface Collector {
  readonly url: string
  readonly spans: () => readonly Span[]
  readonly requests: readonly {
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: Buffer
  }[]
  answers: number
}

export async function openCollector(t: TestContext): Promise<Collector> {
  const requests: { path: string; headers: Readonly<Record<string, unknown>>; body: Buffer }[] = []
  const collector: Collector = {
    url: '',
    requests,
    answers: 200,
    spans: () =>
      requests.flatMap(({ body }) =>
        JSON.parse(body.toString('utf8')).resourceSpans.flatMap(
          (of: { scopeSpans: readonly { spans: readonly Span[] }[] }) => of.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  }
  const { url } = await serve(t, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(collector.answers, { 'content-type': 'application/json' }).end('{}')
    })
  })
  return Object.assign(collector, { url: url.replace(/\/$/, '') })
}

export const settingsFor = ({ url }: Collector, more: Readonly<Record<string, string>> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  ...more,
})

/** Opens traces, and closes them after the test if the test did not. */
export async function trace(t: TestContext, env: Readonly<Record<string, string>>, lines: string[] = []) {
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const close = await openTraces(readConfig(env), log)
  t.after(close)
  return { log, close }
}

export function told(span: Span | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0] as unknown]))
}

export function nameOf(spans: readonly Span[], id: string | undefined): string | undefined {
  return spans.find(({ spanId }) => spanId === id)?.name
}
