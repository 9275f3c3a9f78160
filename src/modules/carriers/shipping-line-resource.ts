/** `shipping_line`: a carrier, by which numbers it can be tracked here, and which data it provides. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { recentAnswers, writeRecentAnswers } from '../sources/understanding-resource.ts'
import { findTrackableNumbers, type LineOfAccount } from './list-shipping-lines.ts'
import { writeProvidedData } from './provided-data-resource.ts'

export interface ShippingLineReading extends IdentifiedReading {
  readonly type: 'shipping_line'
  readonly accountLine: LineOfAccount
}

export function readShippingLine(accountLine: LineOfAccount): ShippingLineReading {
  return { type: 'shipping_line', id: accountLine.line.id, accountLine }
}

const support = Type.Boolean({
  description:
    'True: the carrier can be tracked by this number, and this installation can poll it or receives its messages.',
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
  write: ({ accountLine }) => {
    const { line } = accountLine
    const { billOfLading, booking, container } = findTrackableNumbers(accountLine)
    return {
      scac: line.scac,
      name: line.name,
      alternative_scacs: line.alternativeScacs,
      short_name: line.shortName,
      bill_of_lading_tracking_support: billOfLading,
      booking_number_tracking_support: booking,
      container_number_tracking_support: container,
      provided_data: writeProvidedData(accountLine),
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
      heard: Type.Boolean({ description: 'True: the carrier sends messages to this account by itself.' }),
      verified: Type.Boolean({
        description:
          'True: the operator has tested the access with the real carrier. Until then the form of its answers is an assumption.',
      }),
      verified_at: schema.instantOrNull({
        description:
          'When the operator tested it (`landfall sources check`). Null if nobody has, or if the profile itself states that it works.',
      }),
      attested_by: Type.Integer({
        minimum: 0,
        description:
          'Number of installations whose signed reports about the real carrier are known here (`landfall attest list`).',
      }),
      attested_on: schema.dayOrNull({ description: 'The day (UTC) of the newest of these reports. Null without any.' }),
      enabled: Type.Boolean({
        description:
          'True: tracking requests of this account for the carrier are accepted: the account may use it, and the carrier can be polled or sends messages.',
      }),
      left_alone_until: schema.instantOrNull({
        description: 'The carrier asked for a pause until this time. Null if there is no pause.',
      }),
      recent_answers: recentAnswers,
    },
    write: ({ accountLine: { line, isEnabled, messageNumberKinds: ingestedBy, ...accountLine } }) => ({
      access: line.access,
      configured: accountLine.ability !== null,
      heard: ingestedBy.length > 0,
      verified: accountLine.ability?.isVerified === true || accountLine.verifiedAt !== null,
      verified_at: accountLine.verifiedAt,
      attested_by: accountLine.attested?.installations ?? 0,
      attested_on: accountLine.attested?.lastOn ?? null,
      enabled: isEnabled,
      left_alone_until: accountLine.cooldownUntil,
      recent_answers: writeRecentAnswers(accountLine.reading),
    }),
  },
}
