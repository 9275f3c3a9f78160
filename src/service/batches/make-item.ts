/** Makes one request of a batch, once: its id was given before, so what was cut off in the middle is found and not made again. */

import type { ItemError } from '../../store/request-batches.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { getTrackingRequests } from '../tracking/get-tracking-request.ts'
import {
  type DetectingInput,
  type Making,
  requestTracking,
  type TrackingRequestInput,
} from '../tracking/request-tracking.ts'

export type ItemInput = TrackingRequestInput | DetectingInput

/** Null when it is there; else why it was refused. What is no refusal is thrown: the item is tried again. */
export async function makeItem(
  service: Service,
  context: Context,
  input: ItemInput,
  making: Making & { readonly id: string },
): Promise<readonly ItemError[] | null> {
  try {
    await requestTracking(service, context, input, making)
    return null
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error
    const [own] =
      error.code === 'duplicate'
        ? await getTrackingRequests(service, readAs(context), { ids: [making.id] })
        : []
    return own === undefined ? [readError(error)] : null
  }
}

function readError({ code, detail, source }: ServiceError): ItemError {
  return { code, detail, pointer: source !== null && 'pointer' in source ? source.pointer : null }
}

function readAs(context: Context): Context {
  return { ...context, scopes: ['read'] }
}
