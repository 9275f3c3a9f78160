/**
 * Stops or resumes the tracking of many shipments. Each is handled by itself, so that the refusal of one does not stop
 * the others.
 */

import { namedUuidV7, timeOfId } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { resumeTracking } from './resume-tracking.ts'
import { stopTracking } from './stop-tracking.ts'

export interface ShipmentActionResult {
  readonly id: string
  /** Null when it was done. */
  readonly refusal: ServiceError | null
}

const verbs = { stop_tracking: stopTracking, resume_tracking: resumeTracking } as const
export type ShipmentsVerb = keyof typeof verbs

const atOnce = 4

/**
 * Results are in the order of the ids. `onceUnder`: a repeated call under the same id acts on each shipment only once.
 */
export async function actOnShipments(
  service: Service,
  context: Context,
  input: {
    readonly ids: readonly string[]
    readonly verb: ShipmentsVerb
    readonly onceUnder?: string | undefined
  },
): Promise<readonly ShipmentActionResult[]> {
  requireScope(context, 'write')
  const { onceUnder } = input
  const act = async (id: string): Promise<ShipmentActionResult> => {
    const onceAs = onceUnder === undefined ? undefined : namedUuidV7(timeOfId(onceUnder), `${onceUnder} ${id}`)
    try {
      await verbs[input.verb](service, context, { id, onceAs })
      return { id, refusal: null }
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'unavailable') return { id, refusal: error }
      throw error
    }
  }
  const acted: ShipmentActionResult[] = []
  for (let start = 0; start < input.ids.length; start += atOnce)
    acted.push(...(await Promise.all(input.ids.slice(start, start + atOnce).map(act))))
  return acted
}
