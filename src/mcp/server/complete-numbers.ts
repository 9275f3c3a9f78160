/** Numbers that a client is offered while its user types one. People know numbers, so no ids are offered. */

import { anyTime } from '../../db/listing/page.ts'
import { listContainers } from '../../modules/containers/list-containers.ts'
import type { ContainerFilter } from '../../modules/containers/list-containers-sql.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import { findShown, limitFilter } from '../lists/row-limit.ts'
import type { McpCaller } from './mcp-caller.ts'

const completionsMax = 100
const everything: ContainerFilter = { number: null, status: null, scac: null, updatedAt: anyTime }
const page = { number: 1, size: 20 }

/** Container numbers, or bills of shipments. Without a text, of what is most urgent. */
export async function completeNumber(
  { service, context }: McpCaller,
  kind: 'container' | 'shipment',
  typed: string | undefined,
): Promise<string[]> {
  const text = (typed ?? '').trim()
  const { containers, shipments } =
    text === '' ? await findUrgent({ service, context }) : await findShown({ service, context }, text)
  const numbers =
    kind === 'container'
      ? containers.map(({ projection }) => projection.number)
      : shipments.map(({ billOfLadingNumber }) => billOfLadingNumber)
  return [...new Set(numbers)].slice(0, completionsMax)
}

async function findUrgent({ service, context }: Pick<McpCaller, 'service' | 'context'>) {
  const filter = limitFilter('containers', everything)
  const { rows: containers } = await listContainers(service, context, { filter, order: 'urgency', page })
  const ids = [...new Set(containers.map(({ shipmentId }) => shipmentId))]
  return { containers, shipments: await getShipments(service, context, { ids }) }
}
