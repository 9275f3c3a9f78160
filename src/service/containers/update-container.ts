/** Changes a container's reference numbers, and records that it was delivered: the only way to that status. */

import { assumedUtc, type EventTime, instantOf, parseEventTime } from '../../core/time.ts'
import { type ContainerReading, readContainers } from '../../store/read/containers.ts'
import { shipmentOfContainer } from '../../store/shipments.ts'
import type { Context } from '../context.ts'
import { notFound, refusedAt } from '../errors.ts'
import { type IfCurrent, requireCurrent } from '../if-current.ts'
import { tidyTexts } from '../ledger/tidy-texts.ts'
import { journeyNow, type Service } from '../service.ts'
import { actOnShipment } from '../tracking/act.ts'

/** `deliveredAt`: ISO 8601; null takes an earlier one back. */
export async function updateContainer(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly refNumbers?: readonly string[]
    readonly deliveredAt?: string | null
    readonly ifCurrent?: IfCurrent<ContainerReading> | null
  },
): Promise<void> {
  const delivered = input.deliveredAt == null ? input.deliveredAt : parseEventTime(input.deliveredAt)
  if (delivered === null && input.deliveredAt !== null) {
    throw refusedAt('/data/attributes/delivered_at', 'delivered_at must be an ISO 8601 date or date-time.')
  }
  if (delivered) requirePast(delivered, journeyNow(service, context.account.isFiction))
  const shipmentId = await shipmentOfContainer(service.pool, {
    accountId: context.account.id,
    containerId: input.id,
  })
  if (shipmentId === null) throw notFound('container')
  await actOnShipment(service, context, {
    shipmentId,
    check: async (db) => {
      if (input.ifCurrent == null && !delivered) return
      const key = { accountId: context.account.id, ids: [input.id] }
      const [container] = await readContainers(db, key)
      requireCurrent(input.ifCurrent, container)
      if (delivered && container !== undefined) requireBegun(delivered, container)
    },
    action: {
      action: 'update_container',
      containerId: input.id,
      ...(input.refNumbers !== undefined && { refNumbers: tidyTexts(input.refNumbers) }),
      ...(delivered !== undefined && { delivered }),
    },
  })
}

/** Where a day and a wall clock come first: UTC+14. */
const firstZoneHours = 14

/** What has not happened yet was not delivered. A few minutes may lie between the clocks. */
function requirePast(delivered: EventTime, now: string): void {
  const hours = delivered.kind === 'instant' ? 0 : firstZoneHours
  const latest = Date.parse(now) + (hours * 60 + 5) * 60_000
  if (Date.parse(instantOf(delivered, null).at) <= latest) return
  throw refusedAt('/data/attributes/delivered_at', `delivered_at lies ahead: it is ${now} now.`)
}

/** Where a day and a wall clock end last: UTC-12. */
const lastZoneHours = 12
const hourMs = 3_600_000

/** A box is not delivered before its journey has begun; of a time without a zone only what cannot be is refused. */
function requireBegun(delivered: EventTime, { happened }: ContainerReading): void {
  const hours = { instant: 0, local: lastZoneHours, day: 24 + lastZoneHours }[delivered.kind]
  const latest = Date.parse(instantOf(delivered, null).at) + hours * hourMs
  const told = happened
    .filter(({ name }) => name !== 'delivered')
    .map(({ name, time, timeZone }) => {
      const { at, zoneUsed } = instantOf(time, timeZone)
      const earliest = Date.parse(at) - (zoneUsed === assumedUtc ? firstZoneHours : 0) * hourMs
      return { name, at, earliest }
    })
  const first = told.toSorted((a, b) => a.earliest - b.earliest)[0]
  if (first === undefined || latest >= first.earliest) return
  const detail = `delivered_at lies before the journey: the first that is known of it is ${first.name} at ${first.at}.`
  throw refusedAt('/data/attributes/delivered_at', detail)
}
