/**
 * Why a shipment or container is shown as it is: for one of its values, or for all, who said it, which rule decided,
 * and which claims lost.
 */

import { cutOffs } from '../../../core/explaining/cut-offs.ts'
import { containerVerdicts } from '../../../core/explaining/explain-container.ts'
import { shipmentVerdicts } from '../../../core/explaining/explain-shipment.ts'
import { shipmentOfContainer } from '../../../store/journeys/shipments.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { checkAsOf } from './as-of.ts'
import { type Makings, readMakings } from './makings.ts'
import { ownRules } from './own-rules.ts'
import { explanationOf, type ValueExplanation } from './said.ts'
import { withStateAt } from './state-at.ts'

export interface Explained {
  readonly type: 'shipment' | 'container'
  readonly id: string
}

/**
 * The values that can be explained, by the attribute's name; for deadlines also `import_deadlines.pickup_lfd_line` and
 * so on.
 */
export const explainableValues = {
  shipment: [...Object.keys(shipmentVerdicts), ...Object.keys(ownRules.shipment)],
  container: [...Object.keys(containerVerdicts), ...Object.keys(ownRules.container)],
} as const

/** `value`: null for all values. `asOf`: null for the present state. */
export async function explainValue(
  service: Service,
  context: Context,
  input: { readonly of: Explained; readonly value: string | null; readonly asOf?: string | null },
): Promise<readonly ValueExplanation[]> {
  requireScope(context, 'read')
  const { of, value, asOf = null } = input
  if (value !== null) checkValue(of, value)
  const shipmentId = await findShipmentId(service, context, of)
  if (asOf === null) return explain(service, context, { of, value, shipmentId })
  const moment = { shipmentId, asOf: checkAsOf(service, context, asOf) }
  return withStateAt(service, context, moment, (then) => explain(then, context, { of, value, shipmentId }))
}

/**
 * The id of the shipment itself, or of the shipment that the container belongs to. Refuses a container that the account
 * does not have.
 */
export async function findShipmentId(
  service: Service,
  context: Context,
  { type, id }: Explained,
): Promise<string> {
  if (type === 'shipment') return id
  const key = { accountId: context.account.id, containerId: id }
  const shipmentId = await shipmentOfContainer(service.pool, key)
  if (shipmentId === null) throw notFound('container')
  return shipmentId
}

function checkValue({ type }: Explained, value: string): void {
  const known: readonly string[] = explainableValues[type]
  if (known.includes(value)) return
  throw new ServiceError(
    'invalid',
    `A ${type} has no value \`${value.slice(0, 80)}\` to explain. It has ${known.join(', ')}.`,
    { source: { parameter: 'value' } },
  )
}

async function explain(
  service: Service,
  context: Context,
  asked: { readonly of: Explained; readonly value: string | null; readonly shipmentId: string },
): Promise<readonly ValueExplanation[]> {
  const { of, value, shipmentId } = asked
  const makings = await readMakings(service, { accountId: context.account.id, shipmentId })
  const all = of.type === 'shipment' ? ofShipment(makings) : ofContainer(makings, of.id)
  const isWanted = (each: ValueExplanation): boolean =>
    value === null ? each.said !== null || !isCutOff(each.value) : each.value === value
  return all.filter(isWanted)
}

function isCutOff(value: string): boolean {
  return cutOffs.some((each) => each === value)
}

function ofShipment({ shipment, claims, papers }: Makings): readonly ValueExplanation[] {
  const pickupTimeZone = shipment.lead?.container.pickupTimeZone ?? null
  const said = Object.entries(shipmentVerdicts).map(([value, verdict]) =>
    explanationOf(value, verdict(shipment), { claims, papers, pickupTimeZone }),
  )
  return [...said, ...own('shipment')]
}

function ofContainer({ boxes, claims, papers }: Makings, id: string): readonly ValueExplanation[] {
  const box = boxes.get(id)
  if (box === undefined) throw notFound('container')
  const { pickupTimeZone } = box.container
  const said = Object.entries(containerVerdicts).map(([value, verdict]) =>
    explanationOf(value, verdict(box), { claims, papers, pickupTimeZone }),
  )
  return [...said, ...own('container')]
}

function own(type: Explained['type']): readonly ValueExplanation[] {
  return Object.entries(ownRules[type]).map(([value, rule]) => ({ value, said: null, rule, losers: [] }))
}
