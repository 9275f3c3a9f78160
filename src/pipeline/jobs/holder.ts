/** The holder of the leases of this process, whose number each new lease has in its token. */

import { newLeaseToken } from '../../db/leases.ts'
import type { LeaseHolder, Service } from '../../modules/service.ts'

/** `sessions`: the name of its sessions at the database. It has no number until it is registered. */
export function newHolder(sessions = ''): LeaseHolder {
  return { number: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), sessions }
}

export function holderNumber({ holder }: Pick<Service, 'holder'>): number {
  return Atomics.load(holder.number, 0)
}

/** A new token for leases that this process acquires now. */
export function leaseToken(service: Pick<Service, 'holder'>): string {
  return newLeaseToken(holderNumber(service))
}
