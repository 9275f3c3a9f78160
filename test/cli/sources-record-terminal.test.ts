// On a terminal a person is asked what is wrong or missing; here `script` is the terminal.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkRecording, parseRecording, writeDifference } from '../../src/cli/sources/recording.ts'

const hasScript = spawnSync('script', ['--version']).status === 0

test('a person on a terminal says what is wrong, container by container', { skip: !hasScript }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-record-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'recording.json')
  const words = ['sources', 'record', 'EGLV', 'EGLV143600412785', '--at', '2026-03-01T00:00:00Z', '--out', out]
  const file = join(import.meta.dirname, '../connectors/dcsa/fixtures/line-eglv.json')
  const command = [process.execPath, 'src/cli/landfall.ts', ...words, '--file', file].join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, LANDFALL_DATA: folder } })
  let shown = ''
  const answers = [
    [/EITU9201376 \(\w+\): $/, 'vessel_dicharged@USTIW = 2026-03-07'],
    [/Did you mean vessel_discharged\?\s+EITU9201376 \(\w+\): $/, 'vessel_discharged@USTIW = 2026-03-07'],
    [/2026-03-07\s+EITU9201376 \(\w+\): $/, ''],
    [/Shipment: $/, 'port_of_discharge_locode = USTIW'],
    [/USTIW\s+Shipment: $/, ''],
  ] as const
  let next = 0
  terminal.stdout.on('data', (text: Buffer) => {
    shown += text.toString().replaceAll('\r', '')
    const [asked, answer] = answers[next] ?? []
    if (asked?.test(shown) !== true) return
    next += 1
    terminal.stdin.write(`${answer}\n`)
  })
  const [code] = await once(terminal, 'close')
  assert.equal(code, 0, shown)
  assert.match(shown, /1 of 2 expectations are read today/)
  const recording = parseRecording(readFileSync(out, 'utf8'))
  assert.deepEqual(
    recording.expected.map(({ name, place }) => [name, place]),
    [
      ['vessel_discharged', 'USTIW'],
      ['port_of_discharge_locode', null],
    ],
  )
  assert.match(
    checkRecording(recording).map(writeDifference).join(),
    /vessel_discharged@USTIW: expected .*, read nothing$/,
  )
})
