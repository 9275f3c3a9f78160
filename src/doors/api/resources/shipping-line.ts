/** `shipping_line`: a carrier, by which numbers it can be tracked here, and what it tells. */

import { Type } from 'typebox'
import { type AnswerWindow, isPartlyUnderstood } from '../../../core/understanding.ts'
import { type LineOfAccount, tracksBy } from '../../../service/shipping-lines/list-shipping-lines.ts'
import { writeProvidedData } from '../../provided-data.ts'
import type { Identified, ResourceKind } from '../resource.ts'
import * as schema from '../schema.ts'
import { understandings, writeUnderstanding } from './understanding.ts'

export interface ShippingLineReading extends Identified {
  readonly type: 'shipping_line'
  readonly told: LineOfAccount
}

export function readShippingLine(told: LineOfAccount): ShippingLineReading {
  return { type: 'shipping_line', id: told.line.id, told }
}

function writeReading(reading: AnswerWindow) {
  const { answers, told, aside, understood } = reading
  const state = writeUnderstanding(isPartlyUnderstood(reading) === true)
  return { state, answers, events: told - aside, events_understood: understood }
}

const support = Type.Boolean({
  description: 'The line tracks by it, and this installation has access that can be asked by it.',
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
      verified: Type.Boolean({
        description:
          'Whether the operator has seen the access work with the line itself; until then how the line answers is supposed.',
      }),
      enabled: Type.Boolean({
        description:
          'Whether requests of this account are accepted: it may track by it, and there is access.',
      }),
      left_alone_until: schema.instantOrNull({
        description: 'The line asked to be left alone, and is asked again then; null when it did not.',
      }),
      recent_answers: schema.anyOf([
        schema.object(
          {
            state: schema.oneOf(understandings),
            answers: Type.Integer({ minimum: 1 }),
            events: Type.Integer({ minimum: 1, description: 'Those that were to be read.' }),
            events_understood: Type.Integer({ minimum: 0 }),
          },
          {
            description:
              'How much is understood of the newest fifty answers that told something new; `partly understood` is less than nine tenths of the events. Null while there are none.',
          },
        ),
        schema.nothing(),
      ]),
    },
    write: ({ told: { line, isEnabled, ability, leftAloneUntil, reading } }) => ({
      access: line.access,
      configured: ability !== null,
      verified: ability?.isVerified ?? false,
      enabled: isEnabled,
      left_alone_until: leftAloneUntil,
      recent_answers: reading === null ? null : writeReading(reading),
    }),
  },
}
