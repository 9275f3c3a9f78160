// The messages between a process of a group and its parent. In a process that is alone, all of this does nothing.
import cluster from 'node:cluster'
import type { Registry } from 'prom-client'

/** One family of figures, as prom-client returns it. */
export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]

export type MessageToParent =
  | { readonly kind: 'up' }
  | { readonly kind: 'write_metrics'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly MetricFamily[] }
  | RelayedMessage

export type MessageToChild =
  | { readonly kind: 'drain' }
  | { readonly kind: 'siblings'; readonly wanted: number; readonly serving: number }
  | { readonly kind: 'read_metrics'; readonly id: number }
  | { readonly kind: 'metrics_page'; readonly id: number; readonly page: string }
  | RelayedMessage

/** For whichever of the other processes it concerns. */
interface RelayedMessage {
  readonly kind: 'passed'
  readonly what: unknown
}

/** True in a process that a parent of a group has started. */
export const hasSiblings = cluster.isWorker

let counts = { wanted: 1, serving: 1 }
let onDrain: (() => void) | null = null
let readMetrics: (() => Promise<readonly MetricFamily[]>) | null = null
let onPassed: ((what: unknown) => void) | null = null
let pageRequests = 0
const pages = new Map<number, (page: string) => void>()

if (hasSiblings)
  process.on('message', (message: MessageToChild) => {
    if (message.kind === 'drain') onDrain?.()
    else if (message.kind === 'siblings') counts = message
    else if (message.kind === 'passed') onPassed?.(message.what)
    else if (message.kind === 'metrics_page') {
      pages.get(message.id)?.(message.page)
      pages.delete(message.id)
    } else if (message.kind === 'read_metrics') {
      const { id } = message
      void readMetrics?.().then((metrics) => sendToParent({ kind: 'metrics', id, metrics }))
    }
  })

/** This process serves. `drain` is called when another process has replaced it. */
export function reportReady(drain: () => void): void {
  onDrain = drain
  sendToParent({ kind: 'up' })
}

/** Fewer than half of the processes of the group serve, so those that do are overloaded. */
export function areTooFewServing(): boolean {
  return counts.serving * 2 < counts.wanted
}

/** The page of all processes of the group, from the figures of each. */
export function createGroupMetrics(read: () => Promise<readonly MetricFamily[]>): () => Promise<string> {
  readMetrics = read
  return () => {
    pageRequests += 1
    const id = pageRequests
    const { promise, resolve } = Promise.withResolvers<string>()
    pages.set(id, resolve)
    sendToParent({ kind: 'write_metrics', id })
    return promise
  }
}

/** Passes something that came to this process to all others. False when there are none. */
export function passToSiblings(what: unknown): boolean {
  if (!hasSiblings) return false
  sendToParent({ kind: 'passed', what })
  return true
}

/** `handleMessage` gets the messages of the other processes. */
export function listenForSiblings(handleMessage: (what: unknown) => void): void {
  onPassed = handleMessage
}

function sendToParent(message: MessageToParent): void {
  if (hasSiblings && process.connected) process.send?.(message)
}
