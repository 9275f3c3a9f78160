import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claim } from '../../../src/domain/statements/observation.ts'
import { happenedIn, onlyBox, projectText } from '../../support/told-in-text.ts'
import { interchange, observationsIn } from './reading.ts'

const container = 'TRHU1000010'

function gate(report: '34' | '36', load: '4' | '5', at: string, day: string): string {
  const segments = `BGM+${report}+G+9\nEQD+CN+${container}+45G1+++${load}\nRFF+BM:HLCU1\nDTM+7:${day}0900:203\nLOC+165+${at}:139:6`
  return interchange('CODECO', segments)
}
function quay(report: '119' | '122', status: '2' | '3' | '6', at: string, day: string): string {
  const end = report === '122' ? '9' : '11'
  const segments = `BGM+${report}+Q+9\nTDT+20+1+1\nLOC+${end}+${at}:139:6\nEQD+CN+${container}+45G1++${status}+5\nRFF+BM:HLCU1\nDTM+203:${day}0900:203`
  return interchange('COARRI', segments)
}
function milestonesOf(messages: readonly string[]): readonly string[] {
  const recordedAt = '2026-03-31T00:00:00.000Z'
  const source = { kind: 'terminal', code: 'PIER' } as const
  const claims = messages
    .flatMap((message) => observationsIn(message, { speaker: 'terminal' }))
    .map(
      (observation, index): Claim => ({
        id: `c${index}`,
        source,
        observation,
        readAt: recordedAt,
        recordedAt,
        standsAt: recordedAt,
        hand: 'first',
        deliveryKey: null,
        retiredAt: null,
      }),
    )
  return happenedIn(onlyBox(projectText('', { claims })))
}

const journey = [
  [gate('36', '4', 'CNNGB', '20260102'), 'empty_out'],
  [gate('34', '5', 'CNNGB', '20260104'), 'full_in'],
  [quay('122', '2', 'CNNGB', '20260106'), 'vessel_loaded'],
  [quay('119', '6', 'KRPUS', '20260109'), 'transshipment_discharged'],
  [quay('122', '6', 'KRPUS', '20260113'), 'transshipment_loaded'],
  [quay('119', '3', 'USLAX', '20260125'), 'vessel_discharged'],
  [gate('36', '5', 'USLAX', '20260128'), 'full_out'],
  [gate('34', '4', 'USLAX', '20260203'), 'empty_in'],
] as const

test('gate and quay reports alone give all milestones of a journey', () => {
  const messages = journey.map(([message]) => message)
  const names = journey.map(([, name]) => name)
  for (let told = 1; told <= journey.length; told += 1)
    assert.deepEqual(milestonesOf(messages.slice(0, told)), names.slice(0, told))
  assert.deepEqual(milestonesOf(messages.toReversed()), names)
})
