// The span in which the process works at this moment, and its permitted attributes. Separate from `traces.ts`, because
// the log needs it too.

import { AsyncLocalStorage } from 'node:async_hooks'
import { findErrorCode } from './error-code.ts'

/**
 * All attributes that a span may have. Ids and codes of closed lists, never a text of a customer or a carrier: no
 * number of a shipment, no address, no text of a query. `docs/operating.md` explains each, and a test compares the two.
 */
export const attributeNames = [
  'db.query.summary',
  'db.response.returned_rows',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'landfall.account_id',
  'landfall.attempt',
  'landfall.channel_id',
  'landfall.entries',
  'landfall.event',
  'landfall.event_id',
  'landfall.jobs',
  'landfall.kind',
  'landfall.mail_id',
  'landfall.message_id',
  'landfall.notification_id',
  'landfall.outcome',
  'landfall.parts',
  'landfall.queue',
  'landfall.request_id',
  'landfall.subject_id',
  'landfall.webhook_id',
  'landfall.who',
  'mcp.tool.name',
] as const
export type Attributes = {
  readonly [Name in (typeof attributeNames)[number]]?: string | number | undefined
}

export type SpanKind = 'server' | 'client' | 'inside'

export interface SpanStart {
  readonly kind?: SpanKind
  readonly attributes: Attributes
  /**
   * `traceparent` (W3C) of the parent of the span. Null for a trace of its own. Missing: the live span is the parent.
   */
  readonly parent?: string | null
  /** What it belongs to besides. */
  readonly links?: readonly string[]
}

/** What the work of a span may add to it. */
export interface SpanHandle {
  readonly set: (attributes: Attributes) => void
  /** Notes the kind of the error, never its text: a text may repeat what a customer wrote. */
  readonly fail: (kind: string) => void
}

export interface OpenSpan extends SpanHandle {
  readonly traceId: string
  readonly spanId: string
  /** W3C Trace Context. */
  readonly traceparent: string
  readonly isRecorded: boolean
  readonly isLive: () => boolean
  readonly end: () => void
}

/** The library, behind what is needed of it. */
export interface Tracing {
  readonly start: (name: string, start: SpanStart & { readonly within: OpenSpan | null }) => OpenSpan
  readonly close: () => Promise<void>
}

const live = new AsyncLocalStorage<OpenSpan>()

export function runInSpan<T>(opened: OpenSpan, work: () => T): T {
  return live.run(opened, work)
}

/** Calls `work` outside of any span. */
export function runOutsideSpan<T>(work: () => T): T {
  return live.exit(work)
}

/** The kind of an error for `error.type`: the code of the system or the database, or its class. */
export function kindOfError(error: unknown): string {
  return findErrorCode(error) ?? (error instanceof Error ? error.name : 'unknown')
}

/** Null when no span is live, or the live one is not recorded. */
export function liveTraceparent(): string | null {
  const found = findLive()
  return found?.isRecorded === true ? found.traceparent : null
}

/** For log lines. Null when no span is live. */
export function liveIds(): { readonly trace_id: string; readonly span_id: string } | null {
  const found = findLive()
  return found === null ? null : { trace_id: found.traceId, span_id: found.spanId }
}

/**
 * Work that began in a span (a timer, a reused connection) may call back long after the end of the span, and then does
 * not belong to it.
 */
export function findLive(): OpenSpan | null {
  const found = live.getStore()
  return found?.isLive() === true ? found : null
}
