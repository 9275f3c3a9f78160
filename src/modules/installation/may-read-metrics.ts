/**
 * Who may read the metrics. They contain no account's data, but show how busy an installation is and what fails in it.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config.ts'

export interface MetricsReader {
  /** The other end of the connection. */
  readonly address: string
  /** True when the request states that a proxy sends it for another client. */
  readonly isProxy: boolean
  readonly token: string | null
}

/** `off`: there are no metrics at this place. */
export function mayReadMetrics(
  { metrics }: Config,
  place: 'api' | 'own_port',
  reader: MetricsReader,
): 'yes' | 'no' | 'off' {
  if (metrics.mode === 'off' || (place === 'api' && metrics.port !== 0)) return 'off'
  if (metrics.token !== null && reader.token !== null && isSame(metrics.token, reader.token)) return 'yes'
  if (place === 'own_port') return metrics.token === null ? 'yes' : 'no'
  if (metrics.mode === 'open') return metrics.token === null ? 'yes' : 'no'
  // A proxy on this machine sends from loopback for everybody.
  return isLoopback(reader.address) && !reader.isProxy ? 'yes' : 'no'
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./.test(address) || address === '::1'
}

/** Takes the same time for every wrong token. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
