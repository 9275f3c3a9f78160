/**
 * The parts of the server that a client may choose, by path (`/mcp/read`) or by header (`X-Landfall-Mcp: read`). No part
 * may do more than the credentials allow.
 */

import type { RowLimit } from '../lists/row-limit.ts'

export interface ServerPart {
  /** `core`: fewer tools are listed, and all can be called. `read`: only tools that read. `rows`: only these rows. */
  readonly kind: 'all' | 'core' | 'read' | 'rows'
  readonly limit: RowLimit | null
}

export const partHeader = 'x-landfall-mcp'

/** `written`: what follows `/mcp/`. Null when there is no such part. */
export function readServerPart(written: string): ServerPart | null {
  const text = written.replace(/\/$/, '')
  if (text === '') return { kind: 'all', limit: null }
  if (text === 'read' || text === 'core') return { kind: text, limit: null }
  const [, rows, id] = /^(customers|shipments)\/([\w-]{1,64})$/.exec(text) ?? []
  if (rows === undefined || id === undefined) return null
  return { kind: 'rows', limit: { kind: rows === 'customers' ? 'customer' : 'shipment', id: id.toLowerCase() } }
}

/** Parts in which nothing can be changed, whatever the credentials allow. */
export function onlyReads({ kind }: ServerPart): boolean {
  return kind === 'read' || kind === 'rows'
}
