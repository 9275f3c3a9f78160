import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, hideSecrets } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'

function listen() {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  return {
    log,
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => lines.join(''),
  }
}

test('a log line is one JSON object with its time, level, event and fields', () => {
  const { log, lines } = listen()
  log.info('server.started', { port: 3000 })
  log.debug('server.stopped')
  const [line, ...more] = lines()
  assert.equal(more.length, 0)
  assert.match(String(line?.['at']), /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.deepEqual({ ...line, at: '' }, { at: '', level: 'info', event: 'server.started', port: 3000 })
})

test('writes no secret: neither by its name nor inside an error', () => {
  const { log, text } = listen()
  log.error('job.failed', {
    secret: 'hush-1',
    webhook: { secret: 'hush-2', headers: { authorization: 'hush-3' } },
    error: new Error('connect postgresql://me:hush-4@db/x with Token hush-5-abcdefgh and whsec_hush6=='),
  })
  assert.doesNotMatch(text(), /hush/)
  assert.match(text(), /postgresql:\/\/\[hidden\]@db\/x/)
})

test('leaves text that is no secret readable', () => {
  assert.equal(
    hideSecrets('The token has run out at https://example.com/a@b'),
    'The token has run out at https://example.com/a@b',
  )
})

test('one call writes the log line of a business event and updates its counter and its histogram', async () => {
  const { log, lines } = listen()
  const metrics = createMetrics(log)
  metrics.lookFinished({ scac: 'MAEU', outcome: 'changed', subjectId: 's1', durationMs: 300 })
  metrics.watch({ name: 'queue_length', help: 'Waiting.', read: async () => 7 })
  assert.deepEqual(
    { ...lines()[0], at: '' },
    {
      at: '',
      level: 'info',
      event: 'look.finished',
      scac: 'MAEU',
      outcome: 'changed',
      subjectId: 's1',
      durationMs: 300,
    },
  )
  const page = await metrics.write()
  assert.match(page, /landfall_look_finished_total\{scac="MAEU",outcome="changed"\} 1/)
  assert.match(page, /landfall_look_finished_seconds_bucket\{le="0.5"\} 1/)
  assert.match(page, /landfall_queue_length 7/)
})
