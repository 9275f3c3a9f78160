/** Sums of charges as JSON: of all requested containers, and of each. */

import * as schema from '../../api/shape/schema.ts'
import { missingReasons } from '../../domain/charges/evidence.ts'
import { type ChargeSums, tallyPhases } from '../../domain/charges/tally.ts'
import { chargeKinds, chargers } from '../../domain/charges/terms.ts'
import { Type } from '../../platform/json-schema.ts'
import { money, sumSchema, writeMoney, writeSum } from './charge-parts-resource.ts'
import { type ChargeSumsPage, type ContainerSums, type TermsSums, unknownReasons } from './sum-charges.ts'

const whole = Type.Integer({ minimum: 0 })
const sums = {
  owed: sumSchema,
  forecast: sumSchema,
  avoidable: schema.list(money, { description: 'Amount that is saved if the clocks stop today.' }),
}
const unknown = schema.list(schema.oneOf(unknownReasons), {
  description: 'Why a part of it is in no sum.',
})
const row = schema.object({
  id: schema.id({ description: 'Of the container.' }),
  type: schema.constant('container_charge_sums'),
  attributes: schema.object({
    number: schema.text(),
    shipment_id: schema.id(),
    ...sums,
    terms: schema.list(
      schema.object({
        code: schema.text(),
        version: Type.Integer({ minimum: 1 }),
        kind: schema.oneOf(chargeKinds),
        charged_by: schema.oneOf(chargers),
        charger_code: schema.textOrNull(),
        phase: schema.oneOf(tallyPhases),
        missing: schema.oneOfOrNull(missingReasons),
        last_free_day: schema.dayOrNull(),
        first_charged_day: schema.dayOrNull(),
        stopped_on: schema.dayOrNull(),
        ...sums,
      }),
    ),
    unknown,
  }),
})

export const chargeSumsSchema = schema.object({
  data: schema.list(row),
  links: schema.object({ next: schema.textOrNull() }),
  meta: schema.object({
    as_of: schema.instant(),
    until: schema.text({ format: 'date' }),
    all: schema.anyOf([
      schema.object(
        {
          ...sums,
          containers: whole,
          counted: Type.Integer({ minimum: 0, description: 'Containers with terms that count days.' }),
          unknown: schema.object(Object.fromEntries(unknownReasons.map((reason) => [reason, whole])), {
            description:
              'How many containers are in no sum, or only in part, by reason. Their costs are unknown, not zero.',
          }),
        },
        { description: 'Sums of all containers that match the filters.' },
      ),
      schema.nothing({ description: 'On pages after the first.' }),
    ]),
  }),
})

export function writeChargeSums(summed: ChargeSumsPage, next: string | null): object {
  const { now, until, rows, all } = summed
  return {
    data: rows.map(writeRow),
    links: { next },
    meta: {
      as_of: now,
      until,
      all: all && {
        ...writeSums(all.sums),
        containers: all.containers,
        counted: all.counted,
        unknown: all.unknown,
      },
    },
  }
}

function writeRow({ id, number, shipmentId, sums: of, terms, unknown: reasons }: ContainerSums): object {
  const attributes = {
    number,
    shipment_id: shipmentId,
    ...writeSums(of),
    terms: terms.map(writeTerms),
    unknown: reasons,
  }
  return { id, type: 'container_charge_sums', attributes }
}

function writeTerms({ terms, sums: of }: TermsSums): object {
  return {
    code: terms.code,
    version: terms.version,
    kind: terms.kind,
    charged_by: terms.chargedBy,
    charger_code: terms.chargerCode,
    phase: terms.phase,
    missing: terms.missing,
    last_free_day: terms.lastFreeDay?.day ?? null,
    first_charged_day: terms.chargedFrom?.day ?? null,
    stopped_on: terms.stoppedOn,
    ...writeSums(of),
  }
}

function writeSums({ owed, forecast, avoidable }: ChargeSums): object {
  return { owed: writeSum(owed), forecast: writeSum(forecast), avoidable: avoidable.map(writeMoney) }
}
