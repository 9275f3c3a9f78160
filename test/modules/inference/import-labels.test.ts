// Files from which inference learns at once: labelled CSV and EDIFACT, with a summary of what was used and what was
// not.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { readRows } from '../../../src/inference/data-files.ts'
import { importLabels } from '../../../src/modules/inference/import-labels.ts'
import { findShippingLine } from '../../../src/reference/shipping-lines.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { ask, boxesOf, csvOf, leasedBox } from './inference-harness.ts'

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../connectors/edifact/fixtures/${name}`, import.meta.url))
const silent = { progress: () => {} }

async function open(t: TestContext): Promise<TestService> {
  const service = await openTestService({ startAt: '2026-04-01T00:00:00Z' })
  t.after(() => service.close())
  return service
}

const taught = `select number, scac, weight, month, bill, confirmed_at::date::text as day from inference_outcomes
                 where account_id = $1 order by number`

test('learns the lines of the containers in a bay plan, and counts the containers that it skips', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  const summary = await importLabels(service, own, { bytes: fixture('baplie-d95b.edi'), ...silent })
  assert.deepEqual(summary, {
    kind: 'edifact',
    rows: 6,
    taught: 3,
    known: 0,
    skipped: { 'unknown carrier': 1, 'wrong check digit': 1, 'no carrier named': 1 },
    unknownCarriers: { XYZ: 1 },
    byBill: 0,
    faults: [],
    isBroken: false,
  })
  const { rows } = await service.pool.query({ text: taught, values: [own.account.id] })
  const month = 2026 * 12 + 2
  const of = { weight: 1, month, bill: 'EXAMPLE STAR 9HA1234 014W 2026-03-14', day: '2026-03-14' }
  assert.deepEqual(
    rows.map(({ number, ...row }) => [number.slice(0, 10), row]),
    [
      ['MSKU123456', { scac: 'MAEU', ...of }],
      ['TCNU724101', { scac: 'CMDU', ...of }],
      ['TCNU724102', { scac: 'MSCU', ...of }],
    ],
    'alternative and retired codes are those of the line',
  )
  const again = await importLabels(service, own, { bytes: fixture('baplie-d95b.edi'), ...silent })
  assert.deepEqual([again.taught, again.known], [0, 3])
  const other = await importLabels(service, await newAccount(), {
    bytes: fixture('baplie-d95b.edi'),
    ...silent,
  })
  assert.equal(other.taught, 3, 'another account is taught by the same file')
})

/** A bay plan as lines send it: operators by liner code, and a count of segments that is wrong. */
function bayPlan(
  boxes: readonly { readonly number: string; readonly operator: string | null; readonly booking?: string }[],
): Buffer {
  const cells = boxes.map(({ number, operator, booking = '' }, cell) => {
    const reference = booking === '' ? 'RFF+BM:1' : `RFF+BN:${booking}`
    const named = operator === null ? '' : `NAD+CA+${operator}:172:20'`
    return `LOC+147+0${100_182 + cell}::5'MEA+VGM++KGM:26700'LOC+9+CNSHA'LOC+11+NLRTM'${reference}'EQD+CN+${number}+22G1:102:5++2+5'${named}`
  })
  const head = "UNH+1+BAPLIE:D:95B:UN:SMDG22'BGM++P1+9'DTM+137:2603141530:201'TDT+20+010E+++:172:20+++9HA12:103::'"
  return Buffer.from(`UNB+UNOA:2+A+B+260314:1530+1'${head}${cells.join('')}UNT+18142+1'UNZ+1+1'`)
}

test('learns lines from the liner codes of a bay plan, and counts unknown codes', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  const codes = ['MSC', 'CMA', 'OOL', 'msk', 'HSD', 'HMM', 'HJS', 'SML', 'COSU']
  const bytes = bayPlan(codes.map((operator, at) => ({ number: leasedBox(at), operator })))
  const summary = await importLabels(service, own, { bytes, ...silent })
  assert.deepEqual([summary.rows, summary.taught, summary.isBroken], [9, 7, false])
  assert.deepEqual(summary.unknownCarriers, { HJS: 1, SML: 1 })
  assert.match(summary.faults[0] ?? '', /has \d+ segments, but its end says 18142/)
  const { rows } = await service.pool.query<{ scac: string }>({ text: taught, values: [own.account.id] })
  assert.deepEqual(
    rows.map(({ scac }) => scac),
    ['MSCU', 'CMDU', 'OOLU', 'MAEU', 'MAEU', 'HDMU', 'COSU'],
  )
})

test('learns a container without an operator from the containers of its booking, if they are of one line', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  const bytes = bayPlan([
    { number: leasedBox(1), operator: null, booking: '2697489840' },
    { number: leasedBox(2), operator: 'OOL', booking: '2697489840' },
    { number: leasedBox(3), operator: 'MSC', booking: '177SHA0001' },
    { number: leasedBox(4), operator: 'ONE', booking: '177SHA0001' },
    { number: leasedBox(5), operator: 'MSC', booking: '177SHA0001' },
    { number: leasedBox(6), operator: null, booking: '177SHA0001' },
  ])
  const summary = await importLabels(service, own, { bytes, ...silent })
  assert.deepEqual([summary.taught, summary.byBill, summary.skipped], [5, 1, { 'no carrier named': 1 }])
})

test('every liner code belongs to one supported line and is listed once', () => {
  const rows = readRows('liner-codes.tsv')
  assert.equal(new Set(rows.map(([code]) => code)).size, rows.length)
  for (const [code = '', scac = '', evidence = ''] of rows) {
    assert.match(code, /^[A-Z]{3}$/)
    assert.equal(findShippingLine(scac)?.scac, scac)
    assert.match(evidence, /^(?:table of lines|seen in public messages|brand of before)$/)
  }
})

test('learns container lines from terminal reports, with the bill that a report names', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  const summary = await importLabels(service, own, { bytes: fixture('coarri-codeco-d95b.edi'), ...silent })
  assert.deepEqual([summary.rows, summary.taught, summary.skipped], [3, 3, {}])
  const { rows } = await service.pool.query<{ number: string; scac: string; bill: string }>({
    text: taught,
    values: [own.account.id],
  })
  assert.deepEqual(
    rows.map(({ number, scac, bill }) => [number.slice(0, 10), scac, bill]),
    [
      ['CAIU200001', 'WHLC', 'WHLCB12345'],
      ['TRHU100001', 'CMDU', 'EXAMPLE STAR 9HA1234 014W 2026-03-18'],
      ['TRHU100002', 'YMLU', 'EXAMPLE STAR 9HA1234 014W 2026-03-18'],
    ],
  )
})

test('learns the complete part of an incomplete file, and reports where it breaks off', async (t) => {
  const { service, newAccount } = await open(t)
  const whole = fixture('baplie-d95b.edi')
  const bytes = whole.subarray(0, whole.indexOf('LOC+147+0030182') + 40)
  const summary = await importLabels(service, await newAccount(), { bytes, ...silent })
  assert.deepEqual([summary.rows, summary.taught], [2, 2])
  assert.match(summary.faults[0] ?? '', /^Segment \d+: The text ends in the middle of a segment/)
})

test('learns containers and bills from a labelled CSV, with progress, and skips invalid rows', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  const steps: string[] = []
  const more = [
    'HLCUSHA2601AB123,bill_of_lading,HLCU,HLCUSHA2601AB123',
    '12,shipment,MSCU,x',
    'TCNU7241352,booking,MSCU,x',
  ]
  const bytes = Buffer.from(`${csvOf(boxesOf('WHLC', 3)).toString()}\n${more.join('\n')}\n`)
  const progress = (done: number, of: number): void => void steps.push(`${done}/${of}`)
  const { kind, rows, taught: count, skipped } = await importLabels(service, own, { bytes, progress })
  assert.deepEqual([kind, rows, count, skipped], ['csv', 6, 4, { 'not a number of its kind': 2 }])
  assert.equal(steps.at(-1), '4/4')
  assert.equal((await ask(service, own, leasedBox(1))).shippingLine.selected?.scac, 'WHLC')
})

test('refuses a file of neither format, with the reason', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  for (const text of ['<html>', 'a,b\n1,2', '', 'number,number_type,scac,group\nMSKU1234565,box,MAEU,1'])
    await assert.rejects(
      importLabels(service, own, { bytes: Buffer.from(text), ...silent }),
      /neither EDIFACT nor a labelled CSV/,
    )
})
