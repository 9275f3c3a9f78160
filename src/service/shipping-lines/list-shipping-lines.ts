/** The shipping lines that can be tracked. */

import {
  allShippingLines,
  findShippingLine,
  findShippingLineById,
  type ShippingLine,
} from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

/** `search`: part of a name, in any case, or a SCAC. Null or empty for all. */
export async function listShippingLines(
  _service: Service,
  context: Context,
  input: { readonly search: string | null },
): Promise<readonly ShippingLine[]> {
  requireScope(context, 'read')
  const wanted = (input.search ?? '').trim().toUpperCase()
  return allShippingLines().filter(
    (line) =>
      [line.scac, ...line.alternativeScacs].some((scac) => scac.startsWith(wanted)) ||
      [line.name, line.shortName].some((name) => name.toUpperCase().includes(wanted)),
  )
}

/** By id, SCAC or one of its alternative SCACs. */
export async function getShippingLine(
  _service: Service,
  context: Context,
  input: { readonly idOrScac: string },
): Promise<ShippingLine> {
  requireScope(context, 'read')
  const line = findShippingLine(input.idOrScac) ?? findShippingLineById(input.idOrScac)
  if (line === null) throw notFound('shipping line')
  return line
}
