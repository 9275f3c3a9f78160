// What a process of a group and its parent tell each other. In a process that is alone, all of this does nothing.
import cluster from 'node:cluster'
import type { MetricObject } from 'prom-client'

export type ToParent =
  | { readonly kind: 'up' }
  | { readonly kind: 'write_metrics'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: readonly MetricObject[] }

export type ToChild =
  | { readonly kind: 'drain' }
  | { readonly kind: 'siblings'; readonly wanted: number; readonly serving: number }
  | { readonly kind: 'read_metrics'; readonly id: number }
  | { readonly kind: 'metrics_page'; readonly id: number; readonly page: string }

/** True in a process that a parent of a group has started. */
export const hasSiblings = cluster.isWorker

let counts = { wanted: 1, serving: 1 }
let onDrain: (() => void) | null = null
let readMetrics: (() => Promise<readonly MetricObject[]>) | null = null
let pagesAsked = 0
const pages = new Map<number, (page: string) => void>()

if (hasSiblings)
  process.on('message', (message: ToChild) => {
    if (message.kind === 'drain') onDrain?.()
    else if (message.kind === 'siblings') counts = message
    else if (message.kind === 'metrics_page') {
      pages.get(message.id)?.(message.page)
      pages.delete(message.id)
    } else if (message.kind === 'read_metrics') {
      const { id } = message
      void readMetrics?.().then((metrics) => tellParent({ kind: 'metrics', id, metrics }))
    }
  })

/** This process serves. `drain` is called when another has taken its place. */
export function tellUp(drain: () => void): void {
  onDrain = drain
  tellParent({ kind: 'up' })
}

/** Fewer than half of the processes of the group serve, so those that do are overloaded. */
export function areTooFew(): boolean {
  return counts.serving * 2 < counts.wanted
}

/** The page of all processes of the group, from the figures of each. */
export function writeTogether(read: () => Promise<readonly MetricObject[]>): () => Promise<string> {
  readMetrics = read
  return () => {
    pagesAsked += 1
    const id = pagesAsked
    const { promise, resolve } = Promise.withResolvers<string>()
    pages.set(id, resolve)
    tellParent({ kind: 'write_metrics', id })
    return promise
  }
}

function tellParent(message: ToParent): void {
  if (hasSiblings && process.connected) process.send?.(message)
}
