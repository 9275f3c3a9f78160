// Scans: ruled lines are removed and letters are not, two readings are combined, and uncertain words are not used.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance } from '../../../qa/kill/chance.ts'
import type { PageWords, Word } from '../../../src/connectors/papers/document.ts'
import { readDocument } from '../../../src/connectors/papers/fields/read-document.ts'
import { joinReadings } from '../../../src/connectors/papers/pages/join-readings.ts'
import { readPagesInJail } from '../../../src/connectors/papers/pages/read-pages-apart.ts'
import { eraseRuledLines } from '../../../src/connectors/papers/pages/ruled-lines.ts'
import { photoOf, scanOf } from '../../../tools/document-corpus/degrade.ts'
import { drawPaper } from '../../../tools/document-corpus/draw.ts'
import { layouts } from '../../../tools/document-corpus/layouts.ts'
import { renderPages } from '../../../tools/document-corpus/render-page.ts'
import { scoreOf } from '../../../tools/document-corpus/score.ts'
import { inventTruth } from '../../../tools/document-corpus/truth.ts'
import { atScale } from '../../support/scale.ts'

describe('two readings of a scan', () => {
  const word = (text: string, left: number, confidence = 0.9, top = 0.1): Word => ({
    text,
    confidence,
    box: { left, top, right: left + 0.01 * text.length, bottom: top + 0.01 },
  })
  const join = (one: readonly Word[], other: readonly Word[]): readonly [string, number][] =>
    joinReadings(one, other).map(({ text, confidence }) => [text, confidence])

  test('that agree are combined, and a word that only one reading has is added', () => {
    const both = [word('DAYS', 0.1), word('RATE', 0.3)]
    assert.deepEqual(join(both, both), [
      ['DAYS', 0.9],
      ['RATE', 0.9],
    ])
    assert.deepEqual(
      join([word('DAYS', 0.1)], [word('5', 0.1, 0.9, 0.2)]).map(([text]) => text),
      ['DAYS', '5'],
    )
    assert.deepEqual(join([], [word('~x', 0.5, 0.2)]), [])
  })

  test('that differ in a word mark the word as doubtful, unless a check digit decides', () => {
    assert.deepEqual(join([word('W884', 0.1)], [word('W8G4', 0.1, 0.7)]), [['W884', 0.45]])
    assert.deepEqual(join([word('MSCU4000006', 0.1)], [word('MSCU4000005', 0.1, 0.6)]), [['MSCU4000005', 0.6]])
  })

  test('are compared by the whole word if one reading split the word', () => {
    const parted = [word('HLCU', 0.1, 0.8), word('123', 0.14, 0.8)]
    assert.deepEqual(join([word('HLCU123', 0.1)], parted), [['HLCU123', 0.9]])
  })
})

test('ruled lines are erased from a picture, while bars and letters stay', () => {
  const [width, height] = [600, 800]
  const bytes = new Uint8Array(width * height).fill(255)
  const ink = (from: { x: number; y: number }, to: { x: number; y: number }): void => {
    for (let y = from.y; y < to.y; y += 1) for (let x = from.x; x < to.x; x += 1) bytes[y * width + x] = 0
  }
  ink({ x: 20, y: 100 }, { x: 580, y: 102 })
  ink({ x: 20, y: 100 }, { x: 22, y: 400 })
  ink({ x: 100, y: 200 }, { x: 112, y: 203 })
  ink({ x: 100, y: 300 }, { x: 300, y: 330 })
  const erased = eraseRuledLines({ width, height, bytes }).bytes
  const isInk = (x: number, y: number): boolean => erased[y * width + x] === 0
  assert.deepEqual([isInk(300, 100), isInk(21, 300)], [false, false])
  assert.deepEqual([isInk(105, 201), isInk(200, 315)], [true, true])
})

describe('fields of a scan', () => {
  const page = (lines: readonly (readonly (readonly [text: string, left: number, sure?: number])[])[]): PageWords => ({
    page: 1,
    width: 600,
    height: 800,
    origin: 'ocr',
    invisibleWords: 0,
    words: lines.flatMap((line, row) =>
      line.flatMap(([text, left, confidence = 0.9]) =>
        text.split(' ').map((part, place, all): Word => {
          const at = left + 0.011 * all.slice(0, place).join(' ').length + (place === 0 ? 0 : 0.011)
          const top = 0.1 + row * 0.025
          return {
            text: part,
            confidence,
            box: { left: at, top, right: at + 0.011 * part.length, bottom: top + 0.012 },
          }
        }),
      ),
    ),
  })
  const read = (...lines: Parameters<typeof page>[0]): Readonly<Record<string, unknown>> =>
    readDocument([page(lines)], 'arrival_notice').payload

  test('that are doubtful are left out', () => {
    assert.equal(
      read([
        ['FIRMS:', 0.1],
        ['W884', 0.3],
      ])['firms_code'],
      'W884',
    )
    assert.equal(
      read([
        ['FIRMS:', 0.1],
        ['W884', 0.3, 0.45],
      ])['firms_code'],
      undefined,
    )
  })

  test('that may confuse the letter O with a zero are left out, unless a check digit decides', () => {
    assert.equal(
      read([
        ['B/L No:', 0.1],
        ['HLCUGN00690042', 0.3],
      ])['bill_of_lading_number'],
      'HLCUGN00690042',
    )
    assert.equal(
      read([
        ['B/L No:', 0.1],
        ['HLCUGNO0690042', 0.3],
      ])['bill_of_lading_number'],
      undefined,
    )
    const twin = read([
      ['B/L No:', 0.1],
      ['HLCUNNBS80389371', 0.3],
    ])
    assert.equal(twin['bill_of_lading_number'], undefined)
    assert.equal(
      read([
        ['Voyage No:', 0.1],
        ['5328', 0.3],
      ])['voyage_number'],
      undefined,
    )
  })

  test('give the ship although its voyage is doubtful', () => {
    const ship = read([
      ['Vessel / Voyage:', 0.1],
      ['CALM MERIDIAN /', 0.4],
      ['623S', 0.58, 0.4],
    ])
    assert.equal(ship['vessel_name'], 'CALM MERIDIAN')
    assert.equal(ship['voyage_number'], undefined)
  })

  test('are read beside their labels if the neighbouring rows are read so', () => {
    const rows = read(
      [
        ['Discharge Port', 0.1],
        ['SAVANNAH, GA', 0.4],
      ],
      [
        ['Terminal', 0.1],
        ['Sample Point', 0.4],
      ],
      [
        ['Gate code', 0.1],
        ['10463548', 0.4],
      ],
    )
    assert.equal(rows['pickup_location'], 'Sample Point')
  })
})

test('scans and photos of documents are read without any wrong value', async () => {
  const tried = layouts.filter(({ name }) => ['waybill-boxed', 'arrival-table', 'detention-list'].includes(name))
  for (const [copy, degraded, some] of [
    ['scan', scanOf, tried.slice(0, atScale(3, 1))],
    ['photo', photoOf, tried.slice(-atScale(3, 2))],
  ] as const) {
    let [there, right] = [0, 0]
    for (const layout of some) {
      const { pdf, fields } = await drawPaper(layout, inventTruth(3_000))
      const [picture] = await renderPages(pdf, 200)
      assert.ok(picture !== undefined)
      const pages = await readPagesInJail(await degraded(picture, chance(3_000)))
      const score = scoreOf(readDocument(pages.ok ? pages.pages : []), fields)
      assert.deepEqual(score.mistaken, [], `${copy} ${layout.name}`)
      there += score.there
      right += score.right
    }
    assert.ok(right / there > 0.85, `${copy}: ${right} of ${there}`)
  }
})
