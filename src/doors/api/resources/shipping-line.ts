/** `shipping_line`: a carrier, by which numbers it can be asked and what its data lacks. */

import { Type } from 'typebox'
import type { ShippingLine } from '../../../reference/shipping-lines.ts'
import type { LineOfAccount } from '../../../service/shipping-lines/list-shipping-lines.ts'
import type { Identified, ResourceKind } from '../resource.ts'
import * as schema from '../schema.ts'

export interface ShippingLineReading extends Identified {
  readonly type: 'shipping_line'
  readonly line: ShippingLine
  /** For the account that asks. */
  readonly isEnabled: boolean
}

export function readShippingLine({ line, isEnabled }: LineOfAccount): ShippingLineReading {
  return { type: 'shipping_line', id: line.id, line, isEnabled }
}

export const shippingLine: ResourceKind<ShippingLineReading> = {
  type: 'shipping_line',
  attributes: {
    scac: schema.text(),
    name: schema.text(),
    alternative_scacs: schema.texts(),
    short_name: schema.text(),
    bill_of_lading_tracking_support: { type: 'boolean' },
    booking_number_tracking_support: { type: 'boolean' },
    container_number_tracking_support: { type: 'boolean' },
    provided_data: { type: 'object', additionalProperties: { type: ['boolean', 'string'] } },
    tracking_url: schema.textOrNull(),
    contact_url: schema.textOrNull(),
    bol_prefix: schema.textOrNull(),
  },
  relations: {},
  write: ({ line }) => ({
    scac: line.scac,
    name: line.name,
    alternative_scacs: line.alternativeScacs,
    short_name: line.shortName,
    bill_of_lading_tracking_support: line.tracksBy.billOfLading,
    booking_number_tracking_support: line.tracksBy.booking,
    container_number_tracking_support: line.tracksBy.container,
    provided_data: line.providedData,
    tracking_url: null,
    contact_url: line.website,
    bol_prefix: line.prefixesOfBill[0] ?? null,
  }),
  link: () => ({}),
  meta: {
    properties: {
      access: schema.oneOf(['public', 'account'], {
        description: '`account`: requests are accepted once the operator has enabled the line.',
      }),
      enabled: Type.Boolean({ description: 'Whether this account may track by it.' }),
    },
    write: ({ line, isEnabled }) => ({ access: line.access, enabled: isEnabled }),
  },
}
