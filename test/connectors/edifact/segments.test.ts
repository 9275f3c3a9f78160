import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMessages } from '../../../src/connectors/edifact/messages.ts'
import { readSegments, type SyntaxFault } from '../../../src/connectors/edifact/segments.ts'

interface Heard {
  readonly segments: readonly (readonly [tag: string, elements: readonly (readonly string[])[]])[]
  readonly places: readonly (readonly [from: number, to: number])[]
  readonly faults: readonly SyntaxFault[]
  readonly types: readonly string[]
}

function hear(chunks: Iterable<Uint8Array>): Heard {
  const faults: SyntaxFault[] = []
  const segments = [...readSegments(chunks, (fault) => faults.push(fault))]
  const messages = [...readMessages(segments, (fault) => faults.push(fault))]
  return {
    segments: segments.map(({ tag, elements }) => [tag, elements]),
    places: segments.map(({ from, to }) => [from, to]),
    faults,
    types: messages.map(({ type, segments: inside }) => `${type} ${inside.length}`),
  }
}
const hearText = (text: string, encoding: BufferEncoding = 'utf8') => hear([Buffer.from(text, encoding)])
const details = ({ faults }: Heard) => faults.map(({ kind, detail }) => `${kind}: ${detail}`)

const folder = new URL('fixtures/samples/', import.meta.url)
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.edi'))
  .map((name) => readFileSync(new URL(name, folder)))

const oneMessage = "UNB+UNOA:2+A+B+260101:0000+7'UNH+1+CODECO:D:95B:UN'BGM+34+X+9'UNT+3+1'UNZ+1+7'"

test('the EDIFACT reader gives the same segments however the bytes are split into chunks', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
  const wrapped = oneMessage.replace('BGM', "FTX+AAI+++A ?' B ??\r\n'\r\n\r\nBGM").replaceAll("'U", "'\r\nU")
  const texts = fc.constantFrom(...samples, Buffer.from(wrapped), Buffer.from(`\uFEFFUNA:+.? '\n${wrapped}`))
  fc.assert(
    fc.property(texts, cuts, (bytes, sizes) => {
      const chunks: Buffer[] = []
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      assert.deepEqual(hear(chunks), hear([bytes]))
    }),
    { numRuns: 60 },
  )
})

test('each EDIFACT segment records its byte range, and only white space is between the ranges', () => {
  for (const bytes of samples) {
    const { places, segments } = hear([bytes])
    for (const [index, [from, to]] of places.entries()) {
      const text = bytes.toString('latin1', from, to)
      assert.ok(text.startsWith(segments[index]?.[0] ?? '?'), text)
      const before = bytes.toString('latin1', places[index - 1]?.[1] ?? from, from)
      assert.match(before, /^\s*$/)
    }
  }
})

test('a truncated file gives the segments before the cut, without an exception', () => {
  for (const bytes of samples) {
    const whole = hear([bytes]).segments
    for (let at = 0; at < bytes.length; at += 7) {
      const { segments } = hear([bytes.subarray(0, at)])
      // Only the end of a message may lack its terminator.
      const sure = segments.at(-1)?.[0].startsWith('UNT') ? segments.slice(0, -1) : segments
      const isPrefix = sure.at(-1)?.[0] === 'UNZ' ? sure.slice(0, -1) : sure
      assert.deepEqual(isPrefix, whole.slice(0, isPrefix.length))
    }
  }
})

test('changed bytes never make the reader throw', () => {
  const change = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.constantFrom(...samples), change, (bytes, changes) => {
      const changed = Buffer.from(bytes)
      for (const [where, byte] of changes) changed[where % changed.length] = byte
      const { places } = hear([changed])
      for (const [from, to] of places) assert.ok(from < to && to <= changed.length)
    }),
    { numRuns: 150 },
  )
})

test('an escaped separator is read as text, even at the end of a value or line', () => {
  const { segments } = hearText("FTX+A?+B+C?:D+E?'F+G??+H??'")
  assert.deepEqual(segments, [['FTX', [['A+B'], ['C:D'], ["E'F"], ['G?'], ['H?']]]])
  assert.deepEqual(hearText("FTX+A?\r\n'B\r\n+C'").segments, [['FTX', [["A'B"], ['C']]]])
})

test('a UNA segment defines the separators of its own interchange only', () => {
  const mine = oneMessage.replaceAll('+', '|').replaceAll(':', '>').replaceAll("'", '~')
  const newlines = `UNA:+.? \n${oneMessage.replaceAll("'", '\n')}`
  const { segments, types, faults } = hearText(`UNA>|.! ~\r\n${mine}\r\n${oneMessage}${newlines}UNA:+.? '${oneMessage}`)
  assert.equal(segments.length, 20)
  assert.deepEqual(types, Array(4).fill('CODECO 1'))
  assert.deepEqual(faults, [])
  const unreleased = hearText(`UNA:+.  'UNH+1+IFTSTA:D:95B:UN'FTX+WHO?+WHEN?'UNT+3+1'`)
  assert.deepEqual(unreleased.segments[1], ['FTX', [['WHO?'], ['WHEN?']]])
  assert.match(details(hear([Buffer.from([85, 78, 65, 200, 43, 46, 63, 32, 39])]))[0] ?? '', /UNA are not valid/)
})

test('the EDIFACT reader decodes valid UTF-8 as UTF-8, and other bytes in the announced character set', () => {
  const ftx = (identifier: string, bytes: readonly number[]) =>
    hear([Buffer.from(`UNB+${identifier}:3+A+B+260101:0000+1'FTX+`), Buffer.from(bytes), Buffer.from("'")])
      .segments[1]?.[1][0]?.[0]
  assert.equal(ftx('UNOC', [0xe5]), 'å')
  assert.equal(ftx('UNOC', [0xc3, 0xa5]), 'å')
  assert.equal(ftx('UNOW', [0xc3, 0xa5]), 'å')
  assert.equal(ftx('UNOA', [0xe5]), 'å')
  assert.equal(ftx('UNOE', [0xb0]), 'А')
  assert.equal(ftx('UNOF', [0xc1]), 'Α')
})

test('the EDIFACT reader accepts lower-case letters, even when UNOA is announced', () => {
  const { segments, types, faults } = hearText(oneMessage.toLowerCase())
  assert.deepEqual(
    segments.map(([tag]) => tag),
    ['UNB', 'UNH', 'BGM', 'UNT', 'UNZ'],
  )
  assert.deepEqual([types, faults], [['CODECO 1'], []])
})

test('wrong counts and references are reported, and all data is still read', () => {
  const wrong = oneMessage.replace('UNT+3+1', 'UNT+9+2').replace('UNZ+1+7', 'UNZ+4+8')
  assert.deepEqual(details(hearText(wrong)), [
    'count: Message 1 has 3 segments, but its end says 9.',
    'count: Message 1 ends with a different reference, 2.',
    'count: The interchange has 1 messages or groups, but its end says 4.',
    'count: The interchange ends with a different reference, 8.',
  ])
  assert.deepEqual(hearText(wrong).types, ['CODECO 1'])
  const grouped = oneMessage
    .replace('UNH', "UNG+CODECO'UNH")
    .replace("UNT+3+1'", "UNT+3+1'UNH+2+CODECO'UNT+2+2'UNE+2+1'")
  assert.deepEqual(details(hearText(grouped)), [])
  assert.deepEqual(details(hearText(oneMessage.replace("UNT+3+1'", ''))), ['count: Message 1 has no end (UNT).'])
  assert.deepEqual(details(hearText("UNH+1+CODECO:D:95B:UN'BGM+34'UNT+3+1'")), [
    'bare: A message is outside of an interchange (UNB, UNZ).',
  ])
  assert.deepEqual(details(hearText(oneMessage.slice(0, -1))), ['count: The last segment has no terminator.'])
})

test('the EDIFACT reader reports an endless or too large segment, and reads the segments after it', () => {
  assert.deepEqual(details(hearText(`UNB+${'A'.repeat(100_000)}`)), [
    'syntax: A segment has more than 16384 bytes.',
    'syntax: The text ends in the middle of a segment.',
  ])
  const after = hearText(`FTX+${'A'.repeat(20_000)}'${oneMessage}`)
  assert.deepEqual(after.types, ['CODECO 1'])
  assert.match(details(hearText(`FTX${'+A'.repeat(300)}'`))[0] ?? '', /too many elements/)
})

test('the EDIFACT reader uses constant memory for two hundred thousand segments', () => {
  const groups = 66_000
  const group = Buffer.from("EQD+CN+TRHU1000010+45G1:102:5++3+5'\nDTM+203:202603170930:203'\nFTX+AAI+++IT?'S'\n")
  let most = 0
  let count = 0
  function* stream(): Generator<Buffer> {
    yield Buffer.from("UNB+UNOA:2+A+B+260101:0000+7'UNH+1+COARRI:D:95B:UN'BGM+44+X+9'")
    for (let index = 0; index < groups; index += 1) {
      yield group
      if (index % 5_000 === 0) {
        globalThis.gc?.()
        most = Math.max(most, process.memoryUsage().arrayBuffers)
      }
    }
  }
  const before = process.memoryUsage().arrayBuffers
  const heap = process.memoryUsage().heapUsed
  for (const { number } of readSegments(stream(), () => assert.fail('a fault'))) count = number
  assert.equal(count, 3 + 3 * groups)
  assert.ok(most - before < 8_000_000, `${most - before} bytes of buffers`)
  assert.ok(process.memoryUsage().heapUsed - heap < 60_000_000)
})
