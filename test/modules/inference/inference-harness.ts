// What the tests of learning share: companies that teach and query, and a second process on the same database.

import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { Inference } from '../../../src/inference/infer.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { importLabels } from '../../../src/modules/inference/import-labels.ts'
import { inferNumber } from '../../../src/modules/inference/infer-number.ts'
import { refreshPredictionBasis } from '../../../src/modules/inference/learnt.ts'
import type { Service } from '../../../src/modules/service.ts'

/** A container of a leasing company's batch: `serial` is its last two digits before the check digit. */
export function leasedBox(serial: number, batch = '7241'): string {
  const ten = `TCNU${batch}${String(serial).padStart(2, '0')}`
  return `${ten}${containerCheckDigit(ten)}`
}

export interface Label {
  readonly number: string
  readonly scac: string
  readonly bill: string
}

export function csvOf(labels: readonly Label[]): Buffer {
  const rows = labels.map(({ number, scac, bill }) => `${number},container,${scac},${bill}`)
  return Buffer.from(['number,number_type,scac,group', ...rows].join('\n'))
}

/** Containers of one line, each on a bill of its own. */
export function boxesOf(scac: string, count: number, from = 0): readonly Label[] {
  return Array.from({ length: count }, (_, index) => ({
    number: leasedBox(from + index),
    scac,
    bill: `BILL${from + index}`,
  }))
}

export async function teach(service: Service, as: Context, labels: readonly Label[]): Promise<number> {
  const { taught } = await importLabels(service, as, { bytes: csvOf(labels), progress: () => {} })
  return taught
}

/** By what is known at this moment. */
export async function ask(service: Service, as: Context, number: string): Promise<Inference> {
  await refreshPredictionBasis(service)
  return inferNumber(service, as, { number })
}

export function confidenceIn(inference: Inference, scac: string): number {
  return inference.shippingLine.candidates.find((candidate) => candidate.scac === scac)?.confidence ?? 0
}

/** A service that shares only the database, like another process. */
export function anotherProcess(service: Service): Service {
  return { ...service }
}
