/**
 * Why a shipment or container is shown as it is: for one of its values, or for all, which source stated it, which rule
 * decided, and which claims lost.
 */

import { cutOffs } from '../../domain/provenance/cut-offs.ts'
import { containerVerdicts } from '../../domain/provenance/explain-container.ts'
import { shipmentVerdicts } from '../../domain/provenance/explain-shipment.ts'
import { shipmentOfContainer } from '../../pipeline/projection/shipments-sql.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { checkAsOf } from './check-as-of.ts'
import { deriveShipmentWithClaims, type ShipmentWithDerivations } from './derivations.ts'
import { ownRules } from './own-rules.ts'
import { withStateAt } from './state-at.ts'
import { explanationOf, type ValueExplanation } from './value-explanation.ts'

export interface ExplainTarget {
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
  input: { readonly of: ExplainTarget; readonly value: string | null; readonly asOf?: string | null },
): Promise<readonly ValueExplanation[]> {
  requireScope(context, 'read')
  const { of, value, asOf = null } = input
  if (value !== null) checkValue(of, value)
  const shipmentId = await findShipmentId(service, context, of)
  if (asOf === null) return explainValues(service, context, { of, value, shipmentId })
  const moment = { shipmentId, asOf: checkAsOf(service, context, asOf) }
  return withStateAt(service, context, moment, (then) => explainValues(then, context, { of, value, shipmentId }))
}

/**
 * The id of the shipment itself, or of the shipment that the container belongs to. Refuses a container that the account
 * does not have.
 */
export async function findShipmentId(service: Service, context: Context, { type, id }: ExplainTarget): Promise<string> {
  if (type === 'shipment') return id
  const key = { accountId: context.account.id, containerId: id }
  const shipmentId = await shipmentOfContainer(service.pool, key)
  if (shipmentId === null) throw notFound('container')
  return shipmentId
}

function checkValue({ type }: ExplainTarget, value: string): void {
  const known: readonly string[] = explainableValues[type]
  if (known.includes(value)) return
  throw new ServiceError(
    'invalid',
    `A ${type} has no value \`${value.slice(0, 80)}\` to explain. It has ${known.join(', ')}.`,
    { source: { parameter: 'value' } },
  )
}

async function explainValues(
  service: Service,
  context: Context,
  query: { readonly of: ExplainTarget; readonly value: string | null; readonly shipmentId: string },
): Promise<readonly ValueExplanation[]> {
  const { of, value, shipmentId } = query
  const derivations = await deriveShipmentWithClaims(service, { accountId: context.account.id, shipmentId })
  const all = of.type === 'shipment' ? explainShipment(derivations) : explainContainer(derivations, of.id)
  const isWanted = (each: ValueExplanation): boolean =>
    value === null ? each.statement !== null || !isCutOff(each.value) : each.value === value
  return all.filter(isWanted)
}

function isCutOff(value: string): boolean {
  return cutOffs.some((each) => each === value)
}

function explainShipment({ shipment, claims, papers }: ShipmentWithDerivations): readonly ValueExplanation[] {
  const pickupTimeZone = shipment.lead?.container.pickupTimeZone ?? null
  const explanations = Object.entries(shipmentVerdicts).map(([value, verdict]) =>
    explanationOf(value, verdict(shipment), { claims, papers, pickupTimeZone }),
  )
  return [...explanations, ...explainOwnRules('shipment')]
}

function explainContainer(
  { containers, claims, papers }: ShipmentWithDerivations,
  id: string,
): readonly ValueExplanation[] {
  const derivation = containers.get(id)
  if (derivation === undefined) throw notFound('container')
  const { pickupTimeZone } = derivation.container
  const explanations = Object.entries(containerVerdicts).map(([value, verdict]) =>
    explanationOf(value, verdict(derivation), { claims, papers, pickupTimeZone }),
  )
  return [...explanations, ...explainOwnRules('container')]
}

function explainOwnRules(type: ExplainTarget['type']): readonly ValueExplanation[] {
  return Object.entries(ownRules[type]).map(([value, rule]) => ({ value, statement: null, rule, losers: [] }))
}
