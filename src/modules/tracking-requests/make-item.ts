/**
 * Makes one request of a batch, once. Its id was fixed before, so an item whose making was interrupted is found and not
 * made again.
 */

import { isOneOf } from '../../domain/values/codes.ts'
import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import type { ItemError } from './request-batches-sql.ts'
import { requestOnce } from './request-once.ts'
import type { CreationOptions, LineDetectionInput, TrackingRequestInput } from './request-tracking.ts'

export type BatchItemInput = TrackingRequestInput | LineDetectionInput

/**
 * Null when the request is made; else why it was refused. An error that is no refusal, or a refusal that will pass, is
 * thrown: the item is tried again.
 */
export async function createRequestOfItem(
  service: Service,
  context: Context,
  input: BatchItemInput,
  options: CreationOptions & { readonly id: string },
): Promise<readonly ItemError[] | null> {
  try {
    await requestOnce(service, context, input, options)
    return null
  } catch (error) {
    const isForNow = error instanceof ServiceError && isOneOf(['unavailable', 'rate_limited'], error.code)
    if (!(error instanceof ServiceError) || isForNow) throw error
    return [toItemError(error)]
  }
}

function toItemError({ code, detail, source, meta }: ServiceError): ItemError {
  const pointer = source !== null && 'pointer' in source ? source.pointer : null
  return { code, detail, pointer, ...(meta === null ? {} : { meta }) }
}
