/**
 * /v2/inference/scorecard: how good the predictions of this installation were, compared with what carriers confirmed.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { decisions } from '../../inference/decision.ts'
import { Type } from '../../platform/json-schema.ts'
import { type Precision, readScorecard, type Score, type Scorecard } from './scorecard.ts'

const whole = Type.Integer({ minimum: 0 })
const share = Type.Number({ minimum: 0, maximum: 1 })
const bounds = { minimum: 0, maximum: 1 }
const shareOrNull = schema.numberOrNull(bounds)
const counted = { predictions: whole, confirmed: whole, right: whole }
const precision = schema.object({ ...counted, precision: shareOrNull })
const scoreProperties = {
  ...counted,
  accuracy: schema.numberOrNull({
    ...bounds,
    description: 'Share of the confirmed predictions whose first candidate was right.',
  }),
  coverage: schema.numberOrNull({
    ...bounds,
    description: 'Share of all predictions in which a carrier was selected without a question.',
  }),
  calibration_error: schema.numberOrNull({
    ...bounds,
    description:
      'Mean difference between the confidence and the share of right predictions (expected calibration error).',
  }),
  decisions: schema.object(Object.fromEntries(decisions.map((decision) => [decision, precision]))),
  reliability: schema.list(
    schema.object({ from: share, to: share, confirmed: whole, confidence: share, accuracy: share }),
    {
      description: 'One entry for each tenth of confidence. Tenths without a confirmed prediction are not listed.',
    },
  ),
}
const line = schema.object({
  scac: schema.text(),
  ...counted,
  accuracy: shareOrNull,
  auto_select: schema.object({ ...counted, precision: shareOrNull, lower: share, upper: share }),
  is_demoted: Type.Boolean({
    description: 'True: too many predictions of this carrier were wrong, so it is no longer selected automatically.',
  }),
})

const answer = schema.object(
  {
    data: schema.object({
      id: schema.text({ description: 'Of the account.' }),
      type: schema.constant('inference_scorecard'),
      attributes: schema.object({
        ...scoreProperties,
        shipping_lines: schema.list(line),
        installation: Type.Unsafe({
          anyOf: [schema.object(scoreProperties), { type: 'null' }],
          description:
            'Figures of all accounts that share their results; null while fewer than three of them have confirmed predictions.',
        }),
        precision_min: share,
      }),
    }),
  },
  { description: 'Figures of the last 90 days.' },
)

export function inferenceScorecard(app: FastifyInstance): void {
  app.get(
    '/v2/inference/scorecard',
    {
      schema: describeOperation({
        id: 'getInferenceScorecard',
        tag: 'Tracking requests',
        summary: 'Get how often inferred carriers were right (beta)',
        description:
          'Compares predictions with what the carrier confirmed later. Only numbers that were first inferred and then tracked count.',
        answer,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service, context } = callerOf(request)
      const card = await readScorecard(service, context)
      return sendJsonApi(reply, {
        data: { id: context.account.id, type: 'inference_scorecard', attributes: writeScorecard(card) },
      })
    },
  )
}

function writeScorecard({ account, lines, installation, precisionMin }: Scorecard): Record<string, unknown> {
  return {
    ...writeScore(account),
    shipping_lines: lines.map(({ scac, auto, isDemoted, ...score }) => ({
      scac,
      ...writeCounts(score),
      accuracy: score.precision,
      auto_select: { ...writePrecision(auto), lower: auto.lower, upper: auto.upper },
      is_demoted: isDemoted,
    })),
    installation: installation === null ? null : writeScore(installation),
    precision_min: precisionMin,
  }
}

function writeScore(score: Score): Record<string, unknown> {
  return {
    ...writeCounts(score),
    accuracy: score.precision,
    coverage: score.coverage,
    calibration_error: score.calibrationError,
    decisions: Object.fromEntries(
      Object.entries(score.decisions).map(([decision, each]) => [decision, writePrecision(each)]),
    ),
    reliability: score.reliability,
  }
}

function writePrecision(of: Precision): Record<string, unknown> {
  return { ...writeCounts(of), precision: of.precision }
}

function writeCounts({ cases, confirmed, right }: Precision): Record<string, unknown> {
  return { predictions: cases, confirmed, right }
}
