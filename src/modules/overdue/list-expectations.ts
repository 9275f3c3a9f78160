/** What should happen next to the containers of a shipment, and until when. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { getShipment } from '../shipments/get-shipment.ts'
import { type ExpectationRow, readExpectations } from './expectations-sql.ts'

/** `id`: of the container. */
export interface ExpectationReading extends ExpectationRow {
  readonly type: 'expectation'
  readonly shipmentId: string
  /** ISO instant on the clock of the account's journeys. */
  readonly now: string
}

/** Containers of which nothing is expected, or nobody can say when, are not listed. */
export async function listExpectations(
  service: Service,
  context: Context,
  { shipmentId, page }: { readonly shipmentId: string; readonly page: PageRequest },
): Promise<Page<ExpectationReading>> {
  await getShipment(service, context, { id: shipmentId })
  const { rows, total } = await readExpectations(service.pool, { accountId: context.account.id, shipmentId, page })
  const now = journeyNow(service, context.account.isSandbox)
  return { rows: rows.map((row) => ({ type: 'expectation', shipmentId, now, ...row })), total }
}
