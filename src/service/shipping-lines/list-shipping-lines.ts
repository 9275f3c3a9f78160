/** The shipping lines that can be tracked, and whether this account may. */

import {
  allShippingLines,
  findShippingLine,
  findShippingLineById,
  type ShippingLine,
} from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { enabledFor } from './enabled-lines.ts'

export interface LineOfAccount {
  readonly line: ShippingLine
  readonly isEnabled: boolean
}

/** `search`: part of a name, in any case, or a SCAC. Null or empty for all. */
export async function listShippingLines(
  service: Service,
  context: Context,
  input: { readonly search: string | null },
): Promise<readonly LineOfAccount[]> {
  requireScope(context, 'read')
  const wanted = (input.search ?? '').trim().toUpperCase()
  const isEnabled = await enabledFor(service.pool, context.account)
  return allShippingLines()
    .filter(
      (line) =>
        [line.scac, ...line.alternativeScacs].some((scac) => scac.startsWith(wanted)) ||
        [line.name, line.shortName].some((name) => name.toUpperCase().includes(wanted)),
    )
    .map((line) => ({ line, isEnabled: isEnabled(line) }))
}

/** By id, SCAC or one of its alternative SCACs. */
export async function getShippingLine(
  service: Service,
  context: Context,
  input: { readonly idOrScac: string },
): Promise<LineOfAccount> {
  requireScope(context, 'read')
  const line = findShippingLine(input.idOrScac) ?? findShippingLineById(input.idOrScac)
  if (line === null) throw notFound('shipping line')
  return { line, isEnabled: (await enabledFor(service.pool, context.account))(line) }
}
