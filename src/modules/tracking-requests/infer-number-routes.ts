/** /v2/tracking_requests/infer_number: for a bare number, its kind and the line that it probably belongs to. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { readObject } from '../../api/request-body/body.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { removeInvisibleCharacters } from '../../domain/values/identifiers.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { decisions } from '../../inference/decision.ts'
import type { Inference } from '../../inference/infer.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { Type } from '../../platform/json-schema.ts'
import { inferNumber } from '../inference/infer-number.ts'

const body = Type.Object(
  {
    number: Type.String({
      maxLength: 100,
      description: 'A container, bill of lading or booking number.',
      examples: ['MSKU1234565'],
    }),
  },
  closed,
)

const confidence = Type.Number({ minimum: 0, maximum: 1 })
const candidate = schema.object({ scac: schema.text(), name: schema.text(), confidence })

const answer = schema.object(
  {
    data: schema.object({
      id: schema.text(),
      type: schema.constant('infer_number_results'),
      attributes: schema.object({
        number_type: schema.oneOf(['container', 'bill_of_lading', 'booking']),
        validation: schema.object({
          is_valid: schema.booleanOrNull(),
          type: schema.oneOf(['container', 'shipment']),
          check_digit_passed: schema.booleanOrNull(),
          parsed_number: schema.textOrNull(),
          reason: schema.textOrNull(),
        }),
        shipping_line: schema.object({
          decision: schema.oneOf(decisions),
          selected: Type.Unsafe({ anyOf: [candidate, { type: 'null' }] }),
          candidates: schema.list(candidate, { maxItems: 5 }),
        }),
      }),
    }),
    meta: schema.object({
      explanation: schema.texts({
        description: 'The reasons for each candidate, in the order of the candidates.',
      }),
      suggested_number: schema.textOrNull({
        description: 'The number that was probably intended, if this one contains a typing error.',
      }),
    }),
  },
  { description: 'What the number probably is.' },
)

export function trackingRequestsInferNumber(app: FastifyInstance): void {
  app.post(
    '/v2/tracking_requests/infer_number',
    {
      config: { bucket: 'infer', isInSteps: true },
      schema: describeOperation({
        id: 'inferNumber',
        isBeta: true,
        tag: 'Tracking requests',
        summary: 'Infer the kind and the carrier of a number (beta)',
        description:
          'Beta. The more an account tracks, the better the prediction. `auto_select`: use this carrier. `needs_confirmation`: ask your user. `no_prediction`: the candidates are listed, and none is likely enough. Only the prediction is stored, to compare it with the result later.',
        body,
        answer,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service, context } = callerOf(request)
      const input = readObject(normalizeNumberInput(request.body), body)
      const inference = await inferNumber(service, context, input)
      return sendJsonApi(reply, writeInference(uuidV7(service.clock.now()), inference))
    },
  )
}

/** What is no text is no number either: both get the same refusal. Characters that nobody sees do not count. */
function normalizeNumberInput(given: unknown): unknown {
  if (!isObject(given) || given['number'] === undefined) return given
  const { number } = given
  return { ...given, number: typeof number === 'string' ? removeInvisibleCharacters(number) : '' }
}

function writeInference(id: string, inference: Inference): Readonly<Record<string, unknown>> {
  const { validation, shippingLine } = inference
  return {
    data: {
      id,
      type: 'infer_number_results',
      attributes: {
        number_type: inference.numberType,
        validation: {
          is_valid: validation.isValid,
          type: validation.type,
          check_digit_passed: validation.checkDigitPassed,
          parsed_number: validation.parsedNumber,
          reason: validation.reason,
        },
        shipping_line: {
          decision: shippingLine.decision,
          // The members of a candidate already have the names of the contract.
          selected: shippingLine.selected,
          candidates: shippingLine.candidates,
        },
      },
    },
    meta: { explanation: inference.explanation, suggested_number: validation.suggestedNumber },
  }
}
