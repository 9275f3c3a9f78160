// Small graphs: which numbers become which bars, who sees them, and how estimates of an arrival are drawn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BenchRun } from '../../qa/bench/report.ts'
import { writeText } from '../../qa/bench/report.ts'
import { linesOfEstimates, type StatedEstimate } from '../../src/cli/client/estimate-lines.ts'
import { chooseChartStyle, countByInterval, writeSpark } from '../../src/cli/framework/spark.ts'

test('a bar graph has the lowest bar for the smallest value, the highest for the greatest, a blank for an unknown', () => {
  assert.equal(writeSpark([0, 1, 2, 3, 4, 5, 6, 7]), '▁▂▃▄▅▆▇█')
  assert.equal(writeSpark([10, null, -10, 10]), '█ ▁█')
  assert.equal(writeSpark([5, 5, 5]), '▁▁▁')
  assert.equal(writeSpark([null, 3]), ' ▁')
  assert.equal(writeSpark([]), '')
})

test('a graph has a character for each value, and never draws a greater value lower', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: -1e12, max: 1e12 })), { maxLength: 50 }), (values) => {
      const drawn = writeSpark(values)
      assert.equal(drawn.length, values.length)
      for (const [at, value] of values.entries())
        for (const [other, than] of values.entries())
          if (value !== null && than !== null && value <= than) assert.ok((drawn[at] ?? '') <= (drawn[other] ?? ''))
    }),
  )
})

test('a histogram counts every value, with linear and with logarithmic columns', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }),
      fc.constantFrom('distance' as const, 'ratio' as const),
      (values, by) => {
        const counted = countByInterval(values, { columns: 20, by })
        assert.equal(
          counted?.counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
          values.length,
        )
      },
    ),
  )
  assert.deepEqual(countByInterval([1, 2, 4, 4], { columns: 4, by: 'distance' })?.counts, [1, 1, null, 2])
  assert.deepEqual(countByInterval([1, 10, 100, 1000], { columns: 3, by: 'ratio' })?.counts, [1, 1, 2])
  assert.equal(countByInterval([], { columns: 4, by: 'distance' }), null)
  const many = Array.from({ length: 300_000 }, (_, at) => at)
  assert.equal(countByInterval(many, { columns: 40, by: 'distance' })?.to, 299_999)
})

test('graphs are drawn only on terminals with colours and Unicode', () => {
  const [terminal, utf8] = [{ isTTY: true }, { LANG: 'en_GB.UTF-8' }]
  assert.equal(chooseChartStyle(terminal, utf8), 'bars')
  assert.equal(chooseChartStyle({}, utf8), 'none')
  assert.equal(chooseChartStyle(terminal, { ...utf8, NO_COLOR: '1' }), 'words')
  assert.equal(chooseChartStyle(terminal, { ...utf8, TERM: 'dumb' }), 'words')
  assert.equal(chooseChartStyle(terminal, { ...utf8, LC_ALL: 'C' }), 'words', 'the first that is set decides')
  assert.equal(chooseChartStyle(terminal, {}), 'words')
})

const estimate = (heardAt: string, etaAt: string, more: Partial<StatedEstimate> = {}): StatedEstimate => ({
  heardAt: `2026-01-${heardAt}T00:00:00Z`,
  statedAt: null,
  etaAt: `2026-02-${etaAt}T00:00:00Z`,
  ship: null,
  isPlanned: false,
  ...more,
})

test('the estimate graph has a bar for each estimate that differs from the previous one, in order of arrival', () => {
  const slipping = [estimate('20', '14'), estimate('01', '10'), estimate('10', '12'), estimate('15', '12')]
  assert.deepEqual(linesOfEstimates(slipping, 'bars'), [
    '▁▅█  2026-02-10T00:00Z to 2026-02-14T00:00Z, 4 days later; 3 estimates, 2026-01-01 to 2026-01-20',
  ])
  assert.deepEqual(linesOfEstimates(slipping, 'words'), [
    '2026-02-10T00:00Z to 2026-02-14T00:00Z, 4 days later; 3 estimates, 2026-01-01 to 2026-01-20',
  ])
  assert.deepEqual(linesOfEstimates(slipping, 'none'), [])
  assert.deepEqual(linesOfEstimates([estimate('01', '10'), estimate('02', '10')], 'bars'), [], 'nothing moved')
  const back = [estimate('01', '10'), estimate('02', '12'), estimate('03', '10')]
  assert.match(linesOfEstimates(back, 'bars')[0] ?? '', /^▁█▁ {2}.*, the same hour; 3 estimates/)
})

test('the estimate graph orders estimates that were received together by the time when the source stated them', () => {
  const stated = (on: string, etaAt: string) => estimate('20', etaAt, { statedAt: `2026-01-${on}T00:00:00Z` })
  const [line = ''] = linesOfEstimates([stated('09', '12'), stated('02', '10'), estimate('21', '14')], 'bars')
  assert.match(line, /^▁▅█ .*, 4 days later; 3 estimates, 2026-01-02 to 2026-01-21$/)
})

test('the estimate graph shows planned times only before the first estimate', () => {
  const both = [
    estimate('01', '10', { isPlanned: true }),
    estimate('02', '11'),
    estimate('03', '10', { isPlanned: true }),
    estimate('04', '09'),
  ]
  assert.match(linesOfEstimates(both, 'bars')[0] ?? '', /^▅█▁ {2}.*, 24 h earlier; 3 estimates/)
})

test('each vessel has its own estimate graph, and control characters in vessel names are removed', () => {
  const ships = ['ONE', 'TWO\x1b[2J'].flatMap((ship) => [
    estimate('01', '10', { ship }),
    estimate('02', '12', { ship }),
  ])
  const [one = '', two = '', ...more] = linesOfEstimates(ships, 'bars')
  assert.deepEqual(more, [])
  assert.match(one, /; ONE$/)
  assert.match(two, /; TWO \[2J$/)
  const unnamed = [estimate('01', '10'), estimate('02', '12', { ship: 'ONE' })]
  assert.match(linesOfEstimates(unnamed, 'bars')[0] ?? '', /^▁█ .*01-02$/, 'it is about the only ship')
})

test('only the last thirty of many estimates are drawn, and all are counted', () => {
  const many = Array.from({ length: 500 }, (_, at) => ({
    ...estimate('01', '10'),
    heardAt: new Date(Date.UTC(2026, 0, 1, at)).toISOString(),
    etaAt: new Date(Date.UTC(2026, 2, 1, at)).toISOString(),
  }))
  const [line = ''] = linesOfEstimates(many, 'bars')
  assert.match(line, /^[▁-█]{30} {2}2026-03-01T00:00Z to .*; 500 estimates/)
})

test('a benchmark draws its delays only on a terminal', () => {
  const figure = {
    bench: 'feed',
    what: 'p99',
    unit: 'ms',
    figure: 100,
    limit: null,
    ratio: null,
    aim: 'less',
    isMet: true,
    note: 'few',
    postgres: null,
    delaysMs: [1, 1, 1, 100],
  }
  const run = { figures: [figure] } as unknown as BenchRun
  assert.match(writeText(run, 'bars'), /\n {2}delays {2}1\.00 ms █ +▁ 100 ms$/)
  for (const drawing of ['words', 'none'] as const) assert.match(writeText(run, drawing), /how {5}few$/)
})
