import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeAcknowledgements } from '../../../src/connectors/edifact/acknowledgement.ts'
import { readInterchange } from '../../../src/connectors/edifact/interchange.ts'
import { interchange } from './reading.ts'

const at = '2026-03-18T10:05:00.000Z'
const answersTo = (text: string) => {
  let last = 0
  const nextReference = () => {
    last += 1
    return `A${last}`
  }
  return writeAcknowledgements(Buffer.from(text), { at, nextReference }).map((answer) => answer.toString().split('\n'))
}
const gate = interchange('CODECO', 'BGM+34+G+9\nEQD+CN+TRHU1000010')

test('a CONTRL acknowledges an interchange to its sender, and lists each of its messages', () => {
  const [answer, ...others] = answersTo(gate)
  assert.deepEqual(others, [])
  assert.deepEqual(answer, [
    "UNB+UNOC:3+LANDFALL:ZZZ+PARTNER:ZZZ+260318:1005+A1'",
    "UNH+A1+CONTRL:D:3:UN'",
    "UCI+88+PARTNER:ZZZ+LANDFALL:ZZZ+7'",
    "UCM+1+CODECO:D:95B:UN+7'",
    "UNT+4+A1'",
    "UNZ+1+A1'",
  ])
  const { faults, messages } = readInterchange((answer ?? []).join('\n'))
  assert.deepEqual([faults, messages.map(({ type }) => type)], [[], ['CONTRL']])
})

test('an acknowledgement accepts a wrong count and rejects a message without an end', () => {
  const lines = (text: string) => answersTo(text).map((answer) => answer.filter((line) => line.startsWith('UC')))
  assert.deepEqual(lines(gate.replace('UNT+4', 'UNT+9')), [
    ["UCI+88+PARTNER:ZZZ+LANDFALL:ZZZ+7'", "UCM+1+CODECO:D:95B:UN+7'"],
  ])
  assert.deepEqual(lines(gate.slice(0, gate.indexOf('UNT'))), [
    ["UCI+88+PARTNER:ZZZ+LANDFALL:ZZZ+7'", "UCM+1+CODECO:D:95B:UN+4+18'"],
  ])
  assert.deepEqual(lines(gate.replace('EQD+', "<html>'EQD+")), [
    ["UCI+88+PARTNER:ZZZ+LANDFALL:ZZZ+8'", "UCM+1+CODECO:D:95B:UN+7'"],
  ])
})

test('no CONTRL is sent for a CONTRL, or for an interchange without a sender', () => {
  const [answer = []] = answersTo(gate)
  assert.deepEqual(answersTo(answer.join('\n')), [])
  assert.deepEqual(answersTo(gate.replace('PARTNER:ZZZ', '')), [])
  assert.deepEqual(answersTo("UNH+1+CODECO:D:95B:UN'UNT+2+1'"), [])
  assert.deepEqual(answersTo('<html>'), [])
})

test('each of several interchanges gets its own CONTRL', () => {
  const answers = answersTo(`${gate}${gate.replaceAll('+88', '+89')}`)
  assert.deepEqual(
    answers.map((lines) => lines[2]),
    ["UCI+88+PARTNER:ZZZ+LANDFALL:ZZZ+7'", "UCI+89+PARTNER:ZZZ+LANDFALL:ZZZ+7'"],
  )
})
