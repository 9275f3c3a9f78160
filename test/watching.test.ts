// The dashboard and the alert rules in distribution/ query metrics that Landfall serves, by labels that these have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { watchReadiness } from '../src/modules/installation/watch-readiness.ts'
import { watchSources } from '../src/modules/sources/watch-sources.ts'
import { addRepairsGauge } from '../src/pipeline/ledger/repair-history.ts'
import { businessEvents } from '../src/platform/business-events.ts'
import type { LogFields } from '../src/platform/log.ts'
import { openTestService, type TestService } from './support/service.ts'

let service: TestService
/** Each metric with its type, as /metrics shows them. */
let figures: ReadonlyMap<string, string>

before(async () => {
  service = await openTestService({
    env: { LANDFALL_WAL_ARCHIVE: '/nowhere', DATABASE_REPLICA_URL: 'postgresql://127.0.0.1:1/nowhere' },
  })
  const watch = watchReadiness(service.service)
  addRepairsGauge(service.service)
  watchSources(service.service)
  for (const [name, { labels, ...event }] of Object.entries(businessEvents)) {
    const all = [...labels, ...('secondsBy' in event ? event.secondsBy : [])]
    const count = service.service.metrics[name as keyof typeof businessEvents] as (told: LogFields) => void
    count({ ...Object.fromEntries(all.map((label) => [label, 'any'])), durationMs: 1 })
  }
  const page = await service.service.metrics.write()
  figures = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  await watch.stop()
})
after(() => service?.close())

const labelsOf = new Map<string, readonly string[]>(
  Object.values(businessEvents).flatMap(({ event, labels, ...more }) => {
    const name = `landfall_${event.replaceAll('.', '_')}`
    const secondsBy = 'secondsBy' in more ? more.secondsBy : []
    return [
      [`${name}_total`, labels],
      [`${name}_seconds`, secondsBy],
    ] as const
  }),
)
/** Set by Prometheus, and the bound of a bucket. */
const always = ['le', 'instance', 'job']

/** The faults of an expression; empty if there are none. */
function faultsOf(expression: string): readonly string[] {
  const names = [...new Set(expression.match(/\b(?:landfall|nodejs|process)_\w+/g) ?? [])]
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
  const faults: string[] = []
  for (const written of names) {
    const bare = written.replace(/_(bucket|sum|count)$/, '')
    const name = figures.get(bare) === 'histogram' ? bare : written
    const type = figures.get(name)
    if (type === undefined) faults.push(`${written} does not exist`)
    if (type === 'histogram' && name === written) faults.push(`${written} is a histogram`)
    if (type === 'counter' && !new RegExp(`${written}\\[`).test(expression) && !expression.includes(' - '))
      faults.push(`${written} only grows: it needs rate or increase`)
    const labels = [...(labelsOf.get(name) ?? ['code']), ...always]
    for (const label of grouped) if (!labels.includes(label)) faults.push(`${written} has no label ${label}`)
  }
  if (names.length === 0 && !expression.startsWith('up{')) faults.push(`${expression} asks for nothing`)
  return faults
}

/** Counters whose rule must notice one single event, and would not: `increase` does not see a new series begin. */
function missesFirst(expression: string): readonly string[] {
  const counters = [...expression.matchAll(/\b(?:increase|rate)\((\w+)\[\w+\]\)+ > 0(?![.\d])/g)]
  return counters.map(([, name = '']) => name).filter((name) => !isThereBefore(name, expression))
}

function isThereBefore(name: string, expression: string): boolean {
  const starting = Object.values(businessEvents).filter((event) => 'startsAtZero' in event)
  return (
    starting.some(({ event }) => name === `landfall_${event.replaceAll('.', '_')}_total`) ||
    expression.includes(`${name} unless ${name} offset`)
  )
}

test('every panel of the dashboard queries an existing metric by its labels', () => {
  const { panels } = JSON.parse(readFileSync('distribution/grafana-dashboard.json', 'utf8')) as {
    readonly panels: readonly {
      readonly title: string
      readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
    }[]
  }
  const targets = panels.flatMap(({ targets = [] }) => targets)
  assert.ok(targets.length > 20)
  assert.deepEqual(
    targets.flatMap(({ expr }) => faultsOf(expr)),
    [],
  )
  for (const { expr, legendFormat } of targets)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      assert.ok(expr.includes(label) || always.includes(label), `${expr} has no ${label}`)
  assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length)
})

test('every alert rule queries an existing metric, and says what is wrong and what to do', () => {
  const text = readFileSync('distribution/prometheus-rules.yaml', 'utf8')
  const rules = text.split(/^ {6}- alert: /m).slice(1)
  assert.ok(rules.length > 10)
  for (const rule of rules) {
    const value = (name: string): string =>
      new RegExp(`^ +${name}: '((?:[^']|'')+)'$`, 'm').exec(rule)?.[1]?.replaceAll("''", "'") ?? ''
    assert.deepEqual(faultsOf(value('expr')), [], rule)
    assert.deepEqual(missesFirst(value('expr')), [], rule)
    assert.match(rule, /^ {8}for: \d+[mh]$/m)
    assert.match(rule, /^ {10}severity: (critical|warning)$/m)
    for (const name of ['summary', 'description']) assert.match(value(name), /^[A-Z0-9l].*\.$/, rule)
    for (const [, page = ''] of rule.matchAll(/docs\/([a-z-]+\.md)/g))
      assert.ok(readFileSync(`docs/${page}`, 'utf8').length > 0, page)
  }
})

test('the check finds an unknown metric, a wrong label, and a counter without a rate', () => {
  assert.deepEqual(faultsOf('sum(rate(landfall_look_lost_total[5m]))'), ['landfall_look_lost_total does not exist'])
  assert.deepEqual(faultsOf('sum by (colour) (rate(landfall_look_failed_total[5m]))'), [
    'landfall_look_failed_total has no label colour',
  ])
  assert.match(faultsOf('landfall_look_failed_total > 3').join(), /needs rate or increase/)
  assert.match(faultsOf('landfall_request_answered_seconds > 3').join(), /is a histogram/)
  assert.match(faultsOf('vector(1)').join(), /asks for nothing/)
  assert.deepEqual(missesFirst('increase(landfall_line_misread_total[1h]) > 0'), ['landfall_line_misread_total'])
})
