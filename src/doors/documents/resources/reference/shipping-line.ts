/** `shipping_line`: a carrier, by which numbers it can be tracked here, and which data it provides. */

import { Type } from 'typebox'
import {
  type LineOfAccount,
  tracksBy,
} from '../../../../service/knowing/shipping-lines/list-shipping-lines.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { recentAnswers, writeRecentAnswers } from '../parts/understanding.ts'
import { writeProvidedData } from './provided-data.ts'

export interface ShippingLineReading extends Identified {
  readonly type: 'shipping_line'
  readonly told: LineOfAccount
}

export function readShippingLine(told: LineOfAccount): ShippingLineReading {
  return { type: 'shipping_line', id: told.line.id, told }
}

const support = Type.Boolean({
  description:
    'The line tracks by it, and this installation has access that can be asked by it, or hears what the line sends.',
})

export const shippingLine: ResourceKind<ShippingLineReading> = {
  type: 'shipping_line',
  attributes: {
    scac: schema.text(),
    name: schema.text(),
    alternative_scacs: schema.texts(),
    short_name: schema.text(),
    bill_of_lading_tracking_support: support,
    booking_number_tracking_support: support,
    container_number_tracking_support: support,
    provided_data: { type: 'object', additionalProperties: { type: ['boolean', 'string'] } },
    tracking_url: schema.textOrNull(),
    contact_url: schema.textOrNull(),
    bol_prefix: schema.textOrNull(),
  },
  relations: {},
  write: ({ told }) => {
    const { line } = told
    const { billOfLading, booking, container } = tracksBy(told)
    return {
      scac: line.scac,
      name: line.name,
      alternative_scacs: line.alternativeScacs,
      short_name: line.shortName,
      bill_of_lading_tracking_support: billOfLading,
      booking_number_tracking_support: booking,
      container_number_tracking_support: container,
      provided_data: writeProvidedData(told),
      tracking_url: null,
      contact_url: line.website,
      bol_prefix: line.prefixesOfBill[0] ?? null,
    }
  },
  link: () => ({}),
  meta: {
    properties: {
      access: schema.oneOf(['public', 'account'], {
        description: '`account`: requests are accepted once the operator has enabled the line.',
      }),
      configured: Type.Boolean({ description: 'Whether this installation has access to the line.' }),
      heard: Type.Boolean({ description: 'Whether the line sends to this account by itself.' }),
      verified: Type.Boolean({
        description:
          'Whether the operator has seen the access work with the line itself; until then how the line answers is supposed.',
      }),
      verified_at: schema.instantOrNull({
        description:
          'When the operator saw it work (`landfall sources check`); null where nobody has, or the profile says so itself.',
      }),
      enabled: Type.Boolean({
        description:
          'Whether requests of this account are accepted: it may track by it, and there is access, or the line sends.',
      }),
      left_alone_until: schema.instantOrNull({
        description: 'The line asked to be left alone, and is asked again then; null when it did not.',
      }),
      recent_answers: recentAnswers,
    },
    write: ({ told: { line, isEnabled, heardBy, ability, verifiedAt, leftAloneUntil, reading } }) => ({
      access: line.access,
      configured: ability !== null,
      heard: heardBy.length > 0,
      verified: ability?.isVerified === true || verifiedAt !== null,
      verified_at: verifiedAt,
      enabled: isEnabled,
      left_alone_until: leftAloneUntil,
      recent_answers: writeRecentAnswers(reading),
    }),
  },
}
