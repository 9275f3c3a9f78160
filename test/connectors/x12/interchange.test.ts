import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMessages } from '../../../src/connectors/x12/messages.ts'
import { isFault, readSegments, type Segment, type SyntaxFault } from '../../../src/connectors/x12/segments.ts'
import { interchange, sample, sampleNames } from './fixtures.ts'

const read = (...chunks: readonly Uint8Array[]) => [...readSegments(chunks)]
const segmentsOf = (body: Buffer): readonly Segment[] => read(body).filter((item): item is Segment => !isFault(item))
const faultsOf = (items: Iterable<object>) => [...items].filter((item): item is SyntaxFault => isFault(item))
const text = (body: string) => segmentsOf(Buffer.from(body)).map(({ elements }) => elements.join('*'))
const message = interchange(
  ['315', 'B4***VA*20260301*1450**TCNU*123456*L**USLAX*UN*5', 'N9*BM*HLCUNGB260101'],
  ['315', 'B4***UV*20260302*0800**TCNU*123456*L**USLAX*UN*5', 'N9*BM*HLCUNGB260101'],
)
const wholeMessages = (body: Buffer) =>
  [...readMessages(readSegments([body]))].filter((item) => !isFault(item) && item.kind === 'message' && item.isWhole)

test('the X12 reader gives the same segments and errors however the bytes are split into chunks', () => {
  const ended = (end: string) => Buffer.from(message.toString().replaceAll('~', end))
  const bare = Buffer.from(message.toString().slice(message.indexOf('ST*')).replaceAll('~', '…'))
  const bodies = [
    message,
    ...['\r\n', '\r', '…', '~\r\n'].map(ended),
    bare,
    Buffer.from(`noise ISA noise${message}more noise${ended("'")}`),
    ...sampleNames.map(sample),
  ]
  const plain = (item: Segment | SyntaxFault) => (isFault(item) ? item : { ...item, separators: null })
  fc.assert(
    fc.property(
      fc.constantFrom(...bodies),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }),
      (body, sizes) => {
        const chunks: Buffer[] = []
        for (let at = 0; at < body.length; ) {
          const size = sizes[chunks.length % sizes.length] ?? 1
          chunks.push(Buffer.from(body.subarray(at, at + size)))
          at += size
        }
        assert.deepEqual(read(...chunks).map(plain), read(body).map(plain))
      },
    ),
    { numRuns: 300 },
  )
})

test('each X12 segment records its number and its byte range in the delivery', () => {
  for (const body of [message, ...sampleNames.map(sample)]) {
    for (const [index, segment] of segmentsOf(body).entries()) {
      assert.equal(segment.number, index + 1)
      const bytes = body.subarray(segment.from, segment.to)
      assert.ok(bytes.subarray(-segment.separators.terminator.length).equals(segment.separators.terminator))
      assert.ok(bytes.toString('latin1').startsWith(segment.tag))
    }
  }
})

test('an interchange cut at any byte gives the complete messages before it, without an exception', () => {
  for (const body of [message, sample('X12-315_576b.edi'), sample('X12-322_7739.edi')]) {
    const ends = segmentsOf(body).filter(({ tag }) => tag === 'SE')
    for (let cut = 0; cut <= body.length; cut += 1) {
      const whole = wholeMessages(body.subarray(0, cut)).length
      // An end that lacks only its terminator may or may not be one.
      assert.equal(whole, ends.filter(({ to }) => to <= cut).length, `cut at ${cut}`)
    }
  }
})

test('finds any separators by their position in the ISA segment', () => {
  const isa = (mark: string, component: string) =>
    ['ISA', '00', '', '00', '', 'ZZ', 'A', 'ZZ', 'B', '260301', '0800', 'U', '00401', '7', '0', 'P', component].join(
      mark,
    )
  for (const mark of ['*', '|', '^', '\u001d', '+'])
    for (const component of ['>', ':', '\u001f'])
      for (const end of ['~', '\n', '\r\n', '\r', "'", '\u001c', '~\r\n']) {
        const body = [isa(mark, component), ['GS', 'QO', 'A', 'B'].join(mark), ['GE', '0', ''].join(mark)]
        assert.deepEqual(
          text(`${body.join(end)}${end}`).map((each) => each.slice(0, 6)),
          ['ISA*00', 'GS*QO*', 'GE*0*'],
          JSON.stringify([mark, component, end]),
        )
      }
})

test('an ISA whose last element is empty or missing still gives the segment terminator', () => {
  const start = 'ISA*00**00**ZZ*A*ZZ*B*260301*0800*U*00401*7*0*P'
  for (const body of [`${start}*~GS*QO*A~GE*0~`, `${start}~GS*QO*A~GE*0~`, `${start}*\nGS*QO*A\nGE*0\n`])
    assert.deepEqual(text(body).slice(1), ['GS*QO*A', 'GE*0'], body)
})

test('skips blanks and tabs before the segment terminator of ISA', () => {
  const start = 'ISA*00**00**ZZ*A*ZZ*B*260301*0800*U*00401*7*0*P*:'
  for (const end of [' ~', '\t~', '  \t~\n', ' \n', ' \r\n']) {
    const mark = end.trim() === '' ? '\n' : '~'
    assert.deepEqual(text(`${start}${end}GS*QO*A${mark}GE*0${mark}`).slice(1), ['GS*QO*A', 'GE*0'], JSON.stringify(end))
  }
  assert.deepEqual(text(`${start}\tGS*QO*A\tGE*0\t`).slice(1), ['GS*QO*A', 'GE*0'], 'a tab that is the terminator')
})

test('the X12 reader accepts a byte order mark, blank lines, Latin-1, UTF-8 and a terminator of two bytes', () => {
  const body = '\uFEFF\n\nISA*00**00**ZZ*A*ZZ*B*260301*0800*U*00401*7*0*P*>…GS*QO*KÖLN…\n…GE*0…'
  assert.deepEqual(text(body).slice(1), ['GS*QO*KÖLN', 'GE*0'])
  const latin = Buffer.from(body.slice(1).replaceAll('…', '~'), 'latin1')
  assert.deepEqual(
    segmentsOf(latin)
      .map(({ elements }) => elements.join('*'))
      .slice(1),
    ['GS*QO*KÖLN', 'GE*0'],
  )
})

test('the X12 reader joins lines that a transport has wrapped within segments', () => {
  const wrapped = Buffer.from(message.toString().replace(/(.{80})/g, '$1\r\n'))
  assert.deepEqual(
    segmentsOf(wrapped).map(({ elements }) => elements),
    segmentsOf(message).map(({ elements }) => elements),
  )
})

test('reads two interchanges with different separators, and reports text between and after them', () => {
  const other = message.toString().replaceAll('*', '|').replaceAll('~', '\n')
  const body = Buffer.from(`${message}\r\nnoise that is none\r\n${other}-- end of mail --`)
  assert.equal(wholeMessages(body).length, 4)
  assert.deepEqual(
    faultsOf(readSegments([body])).map(({ kind, lost }) => `${kind} ${lost}`),
    ['broken_syntax nothing', 'broken_syntax nothing'],
  )
})

test('reports input that is no X12, and an empty delivery', () => {
  const kindsOf = (body: string) => read(Buffer.from(body)).map((item) => (isFault(item) ? item.kind : item.tag))
  assert.deepEqual(kindsOf('<html><body>Sign in</body></html>'), ['not_edi'])
  assert.deepEqual(kindsOf("UNB+UNOA:2+A+B+260301:0800+1'UNZ+0+1'"), ['not_edi'])
  assert.deepEqual(kindsOf(' \r\n '), ['empty_answer'])
  assert.deepEqual(kindsOf('\u0000'), ['empty_answer'])
})

test('reads a message without its envelope, as guides print it, and reports that', () => {
  const body = Buffer.from('ST*315*0001~B4***VA*20260301*1450**TCNU*123456*L~SE*3*0001~')
  const items = [...readMessages(readSegments([body]))]
  assert.deepEqual(
    faultsOf(items).map(({ kind, lost }) => `${kind} ${lost}`),
    ['broken_syntax nothing'],
  )
  assert.equal(wholeMessages(body).length, 1)
})

test('the X12 reader reports wrong counts and control numbers, and still reads all data', () => {
  const wrong = message
    .toString()
    .replace('SE*4*0001', 'SE*9*0009')
    .replace('GE*2*7', 'GE*5*8')
    .replace('IEA*1*000000007', 'IEA*x*9')
  const items = [...readMessages(readSegments([Buffer.from(wrong)]))]
  assert.deepEqual(
    faultsOf(items).map(({ kind, path, lost }) => `${kind} ${path} ${lost}`),
    ['6/1', '6/2', '11/1', '11/2', '12/1', '12/2'].map((path) => `count_mismatch /${path} nothing`),
  )
  assert.equal(wholeMessages(Buffer.from(wrong)).length, 2)
})

test('an X12 message without an end is read if another message follows, but not at the end of the delivery', () => {
  const open = message.toString().replace(/SE\*4\*0001~/, '')
  assert.equal(wholeMessages(Buffer.from(open)).length, 2)
  assert.equal(wholeMessages(Buffer.from(open.slice(0, open.indexOf('SE*')))).length, 1)
})

/** Segment by segment, as a stream would bring them. */
function* stream(messages: number): Generator<Buffer> {
  yield message.subarray(0, segmentsOf(message)[1]?.to)
  for (let index = 0; index < messages; index += 1)
    yield Buffer.from(
      `ST*315*${index}~B4***VA*20260301*1450**TCNU*123456*L**USLAX*UN*5~N9*BM*HLCU${index}~SE*4*${index}~`,
    )
}

test('the X12 reader uses constant memory for 200,000 segments', () => {
  let [segments, most] = [0, 0]
  for (const item of readMessages(readSegments(stream(50_000)))) {
    if (isFault(item) || item.kind !== 'message') continue
    segments += item.segments.length + 2
    if (segments % 20_000 !== 0) continue
    global.gc?.()
    most = Math.max(most, process.memoryUsage().heapUsed)
  }
  assert.equal(segments, 200_000)
  assert.ok(most < 150_000_000, `${most} bytes of heap`)
})

test('reports issues for hostile input: an endless segment, message, number of elements or of errors', () => {
  const head = message.subarray(0, segmentsOf(message)[1]?.to).toString()
  const bombs = [
    `${head}${'A'.repeat(3_000_000)}`,
    `${head}ST*315*1~B4${'*x'.repeat(8_000)}~SE*3*1~`,
    `${head}ST*315*1~${'N9*BM*X~'.repeat(300_000)}`,
    `${head}${'?~'.repeat(300_000)}`,
    `${'ISA*'.repeat(500_000)}`,
    `${head}${'ST*315*1~'.repeat(200_000)}`,
  ]
  for (const bomb of bombs) {
    const started = process.cpuUsage()
    let held = 0
    for (const item of readMessages(readSegments([Buffer.from(bomb)])))
      if (!isFault(item) && item.kind === 'message') held = Math.max(held, item.segments.length)
    assert.ok(held <= 5_000)
    const { user, system } = process.cpuUsage(started)
    assert.ok(user + system < 10_000_000, `${user + system} µs of the processor`)
  }
})
