/**
 * What an agent means by an `id`: the id of a container or shipment, or a number as people know it. A number that is of
 * several is refused with their ids, so that none is chosen silently.
 */

import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import type { Context } from '../../modules/access/context.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { TrackedMatches } from '../../modules/search/find-tracked.ts'
import type { Service } from '../../modules/service.ts'
import { explainContainerNumberTypo } from '../../modules/tracking-requests/container-number-slip.ts'
import { isNumberOf, normalizeNumber } from '../presenters/bill.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { currentLimit, findShown, requireShown } from './row-limit.ts'

type TrackedKind = 'container' | 'shipment'

interface CallerContext {
  readonly service: Service
  readonly context: Context
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const listedMax = 5
const lengthMax = 100

export async function readId(caller: CallerContext, kind: TrackedKind, given: string, name = 'id'): Promise<string> {
  const text = given.trim()
  if (uuid.test(text)) {
    await requireShown(caller, kind, text.toLowerCase())
    return text.toLowerCase()
  }
  if (text === '') throw new ServiceError('invalid', `\`${name}\` is empty.`)
  if (text.length > lengthMax) throw new ServiceError('invalid', `\`${name}\` has more than ${lengthMax} characters.`)
  const { service, context } = caller
  const found = await findShown(caller, text)
  const matched = kind === 'container' ? matchContainers(found, text) : matchShipments(found, text)
  const ids = matched.length > 0 ? matched : await matchWithScac(caller, kind, text)
  const [first, ...others] = ids
  if (first !== undefined && others.length === 0) return first.id
  if (first !== undefined)
    throw new ServiceError(
      'invalid',
      `\`${name}\`: ${ids.length} ${kind}s have the number ${markUnlessCode(text)}. Say which, by its id: ${ids
        .slice(0, listedMax)
        .map(({ id, label: labels }) => `${id} (${labels})`)
        .join(', ')}${ids.length > listedMax ? ' …' : ''}.`,
    )
  // It names numbers of all rows.
  const slip = currentLimit() === null ? await explainContainerNumberTypo(service, context, text) : null
  const requestNote = found.requests.length > 0 ? ' It was requested: list_tracking_requests shows its status.' : ''
  throw new ServiceError(
    'not_found',
    slip ??
      `No ${kind} that is tracked has the number ${markUnlessCode(text.slice(0, 60))}.${requestNote || ' search_container finds parts of numbers; track_container begins to track it.'}`,
  )
}

interface NamedRecord {
  readonly id: string
  readonly label: string
}

/** People write the code of the line before the number of its paper. */
async function matchWithScac(caller: CallerContext, kind: TrackedKind, text: string): Promise<readonly NamedRecord[]> {
  const [, scac, number] = /^([A-Z]{4})[\s-]?(\w{5,})$/i.exec(text) ?? []
  if (scac === undefined || number === undefined || parseContainerNumber(text).ok) return []
  const found = await findShown(caller, number)
  const byId = new Map([...found.byId].filter(([, shipment]) => shipment.scac === scac.toUpperCase()))
  const containers = found.containers.filter(({ shipmentId }) => byId.has(shipmentId))
  return (kind === 'container' ? matchContainers : matchShipments)({ ...found, byId, containers }, number)
}

/** By its own number; else the containers of the bill with this number. */
function matchContainers({ containers, byId }: TrackedMatches, text: string): readonly NamedRecord[] {
  const all = containers.map((each) => ({ each, shipment: byId.get(each.shipmentId) }))
  const exact = all.filter(({ each }) => each.projection.number === normalizeNumber(text))
  const ofBill = all.filter(({ shipment }) => shipment !== undefined && isNumberOf(shipment, text))
  return (exact.length > 0 ? exact : ofBill).map(({ each, shipment }) => ({
    id: each.id,
    label: `${each.projection.number}, ${each.status}, bill ${markUnlessCode(shipment?.billOfLadingNumber ?? 'unknown')}`,
  }))
}

/** By its bill, a reference, or a container of it. */
function matchShipments({ byId, containers }: TrackedMatches, text: string): readonly NamedRecord[] {
  const all = [...byId.values()]
  const exact = all.filter((each) => isNumberOf(each, text))
  const holders = new Set(
    containers
      .filter(({ projection }) => projection.number === normalizeNumber(text))
      .map(({ shipmentId }) => shipmentId),
  )
  const found = exact.length > 0 ? exact : all.filter(({ id }) => holders.has(id))
  const referred = all.filter(({ refNumbers }) =>
    refNumbers.some((each) => normalizeNumber(each) === normalizeNumber(text)),
  )
  return (found.length > 0 ? found : referred).map((each) => ({
    id: each.id,
    label: `bill ${markUnlessCode(each.billOfLadingNumber ?? 'unknown')} of ${each.scac}`,
  }))
}
