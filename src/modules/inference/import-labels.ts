/** Teaches an account's model from a file: labelled numbers as CSV, or bay plans and terminal reports as EDIFACT. */

import { createHash } from 'node:crypto'
import { type ContainerReport, readContainerReports } from '../../connectors/edifact/container-reports.ts'
import { decodeEdifact, isEdifact, readInterchange } from '../../connectors/edifact/interchange.ts'
import { inTransaction } from '../../db/database.ts'
import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import { canonicalScac } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { type LabelledNumber, outcomesOf, readLabelled } from '../../inference/labelled.ts'
import { findOperator } from '../../inference/liner-codes.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import { writeOutcomes } from './label-outcome.ts'
import { numberOutcomes } from './number-outcomes.ts'
import type { NewOutcome } from './outcomes-sql.ts'

export interface ImportSummary {
  readonly kind: 'csv' | 'edifact'
  /** Numbers that the file names. */
  readonly rows: number
  readonly taught: number
  /** Taught by an earlier import of the same file. */
  readonly known: number
  /** How many for which reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Codes that belong to no known line, with how often each came. No line is inferred for them. */
  readonly unknownCarriers: Readonly<Record<string, number>>
  /** Containers whose carrier is not named, and whose bill has only containers of one line otherwise. */
  readonly byBill: number
  /** The fault in the file's syntax, as text. */
  readonly faults: readonly string[]
  /** Whether a fault lost a part of the file. A wrong count of segments loses nothing. */
  readonly isBroken: boolean
}

interface Label extends LabelledNumber {
  /** Its place in the file, which makes it different from the others. */
  readonly row: string
  /** `YYYY-MM-DD`; null for now. */
  readonly statedOn: string | null
}

interface ParsedLabelFile extends Omit<ImportSummary, 'taught' | 'known'> {
  readonly labels: readonly Label[]
}

const batchMax = 500

/** A file that is imported again teaches the same rows only once. Refuses a file that is neither CSV nor EDIFACT. */
export async function importLabels(
  service: Service,
  context: Context,
  file: { readonly bytes: Uint8Array; readonly progress: (done: number, of: number) => void },
): Promise<ImportSummary> {
  requireScope(context, 'write')
  const { labels, ...read } = readLabels(file.bytes)
  const now = journeyNow(service, context.account.isSandbox)
  const key = `${context.account.id}:${createHash('sha256').update(file.bytes).digest('hex')}`
  const batches = [...Map.groupBy(labels, ({ scac, statedOn }) => `${scac} ${statedOn}`).values()].flatMap(inBatches)
  let taught = 0
  let done = 0
  for (const batch of batches) {
    const [{ scac, statedOn }] = batch
    const at = statedOn === null ? now : `${statedOn}T00:00:00.000Z`
    const outcomes = batch.map((label) => newOutcome(label, { key, month: monthOf(new Date(at)) }))
    taught += await inTransaction(service.pool, (db) =>
      writeOutcomes(db, { accountId: context.account.id, scac, outcomes, at }),
    )
    done += batch.length
    file.progress(done, labels.length)
  }
  await numberOutcomes(service)
  return { ...read, taught, known: labels.length - taught }
}

type Batch = readonly [WeightedLabel, ...WeightedLabel[]]

/**
 * Each of several containers of one bill counts less. The weight depends on the complete file, so it is computed before
 * the file is divided.
 */
interface WeightedLabel extends Label {
  readonly node: string
  readonly weight: number
}

function inBatches(labels: readonly Label[]): readonly Batch[] {
  const weighed = outcomesOf(labels, 0).flatMap(({ node, weight }, index): readonly WeightedLabel[] => {
    const label = labels[index]
    return label === undefined ? [] : [{ ...label, node, weight }]
  })
  return Array.from({ length: Math.ceil(weighed.length / batchMax) }, (_, batch) =>
    weighed.slice(batch * batchMax, (batch + 1) * batchMax),
  ).flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest] as const]))
}

function newOutcome(label: WeightedLabel, of: { readonly key: string; readonly month: number }): NewOutcome {
  const { number, node, scac, weight, group } = label
  return {
    id: uuidV5(LANDFALL_NAMESPACE, `import:${of.key}:${label.row}`),
    number,
    node,
    scac,
    weight,
    month: of.month,
    bill: group,
    source: 'import',
  }
}

function readLabels(bytes: Uint8Array): ParsedLabelFile {
  const text = decodeEdifact(bytes)
  if (isEdifact(text)) return readEdifactLabels(text)
  try {
    return readCsvLabels(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ServiceError('invalid', `This is neither EDIFACT nor a labelled CSV. ${why}`, { cause: error })
  }
}

function readCsvLabels(text: string): ParsedLabelFile {
  const tally = newTally()
  const rows = readLabelled(text)
  if (rows.length === 0) throw new Error('The file contains no number.')
  const labels = rows.flatMap((row, index): readonly Label[] => {
    // The text is no number, or the number is not of the kind in its label.
    if (outcomesOf([row], 0).length === 0) return tally.skip('not a number of its kind')
    const scac = canonicalScac(row.scac)
    if (!/^[A-Z]{4}$/.test(scac)) return tally.unknown(row.scac)
    return [{ ...row, number: normalizeNumber(row.number), scac, row: String(index + 1), statedOn: null }]
  })
  return { kind: 'csv', rows: rows.length, labels, byBill: 0, faults: [], isBroken: false, ...tally.counts }
}

function readEdifactLabels(text: string): ParsedLabelFile {
  const tally = newTally()
  const interchange = readInterchange(text)
  const reports = readContainerReports(interchange)
  for (const { type } of interchange.messages) {
    if (!reports.some((report) => report.type === type)) tally.skip(`${type} message`)
  }
  const carriers = carriersOfBills(reports)
  const labels = reports.flatMap((report) =>
    report.containers.flatMap((container) => labelOf(report, container, { tally, carriers })),
  )
  const rows = reports.reduce((sum, { containers }) => sum + containers.length, 0)
  const faults = interchange.faults.map(({ number, detail }) => `Segment ${number}: ${detail}`)
  const isBroken = interchange.faults.some(({ kind }) => kind === 'syntax')
  const byBill = labels.filter(({ isByBill }) => isByBill).length
  return { kind: 'edifact', rows, labels, byBill, faults, isBroken, ...tally.counts }
}

/**
 * Containers of one bill travel with one line: a carrier that is named for some of them carries the others too. Null
 * where several are named.
 */
function carriersOfBills(reports: readonly ContainerReport[]): ReadonlyMap<string, string | null> {
  const carriers = new Map<string, string | null>()
  for (const { bill, carrier } of reports.flatMap(({ containers }) => containers)) {
    if (bill === null || carrier === null) continue
    const scac = findOperator(carrier)
    const isOther = carriers.has(bill) && carriers.get(bill) !== scac
    carriers.set(bill, isOther ? null : scac)
  }
  return carriers
}

function labelOf(
  report: ContainerReport,
  container: ContainerReport['containers'][number],
  { tally, carriers }: { readonly tally: Tally; readonly carriers: ReadonlyMap<string, string | null> },
): readonly (Label & { readonly isByBill: boolean })[] {
  const parsed = parseContainerNumber(container.number)
  if (!parsed.ok) return tally.skip(parsed.reason === 'wrong_check_digit' ? 'wrong check digit' : 'no container number')
  const isByBill = container.carrier === null
  const scac = isByBill ? (carriers.get(container.bill ?? '') ?? null) : findOperator(container.carrier)
  if (scac === null) return isByBill ? tally.skip('no carrier named') : tally.unknown(container.carrier)
  const group = container.bill ?? `${report.voyage ?? ''} ${report.statedOn ?? report.reference}`.trim()
  const { statedOn } = report
  return [
    {
      number: parsed.value,
      type: 'container',
      scac,
      group,
      more: {},
      row: `segment ${container.segment}`,
      statedOn,
      isByBill,
    },
  ]
}

function normalizeNumber(number: string): string {
  return number.toUpperCase().replace(/[\s.\-/]/g, '')
}

interface Tally {
  readonly counts: Pick<ImportSummary, 'skipped' | 'unknownCarriers'>
  /** Both count and return an empty list, which the caller returns in place of a label. */
  readonly skip: (reason: string) => readonly never[]
  readonly unknown: (carrier: string) => readonly never[]
}

function newTally(): Tally {
  const skipped: Record<string, number> = {}
  const unknownCarriers: Record<string, number> = {}
  const skip = (reason: string): readonly never[] => {
    skipped[reason] = (skipped[reason] ?? 0) + 1
    return []
  }
  return {
    counts: { skipped, unknownCarriers },
    skip,
    unknown: (carrier) => {
      unknownCarriers[carrier] = (unknownCarriers[carrier] ?? 0) + 1
      return skip('unknown carrier')
    },
  }
}
