/** The ways in which a delivery is damaged. */

/** Short texts that the languages use as separators and tags, and texts that break them. */
const splinters = [
  '~',
  '*',
  '>',
  "'",
  '+',
  ':',
  '?',
  '\n',
  '\r\n',
  '\u0000',
  '\u001d',
  '…',
  '\ud83d\udea2',
  'é',
  '',
  '-',
  '0',
  '9'.repeat(40),
  'A'.repeat(400),
  'ISA*',
  'GS*',
  'ST*315*1~',
  'SE*3*1~',
  'GE*1*1~',
  'IEA*1*1~',
  'N9*BM*X~',
  'R4*5*UN*USLAX~',
  "UNA:+.? '",
  'UNA++++++',
  "UNB+UNOC:3+X+Y+260101:0000+1'",
  "UNH+1+IFTSTA:D:95B:UN'",
  "UNH+1+CODECO:D:95B:UN'",
  "UNT+1+1'",
  "UNZ+1+1'",
  "CNI+1'",
  "STS+1+1'",
  "EQD+CN+TCNU1234565'",
  "DTM+334:20260101:102'",
  "RFF+BM:X'",
  '??',
  "?'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  'true',
  '1e999',
  '-0',
  '{"a":',
  '"events":[',
  '__proto__',
  'toString',
]

type Change = (delivery: Buffer, other: () => Buffer, random: () => number) => Buffer

const put: Change = (delivery, _, random) => {
  const at = Math.floor(random() * (delivery.length + 1))
  const to = Math.min(delivery.length, at + Math.floor(random() ** 3 * 200))
  const splinter = splinters[Math.floor(random() * splinters.length)] ?? ''
  const bytes = random() < 0.3 ? Buffer.of(Math.floor(random() * 256)) : Buffer.from(splinter)
  return Buffer.concat([delivery.subarray(0, at), bytes, delivery.subarray(random() < 0.5 ? at : to)])
}

const cutOff: Change = (delivery, _, random) => delivery.subarray(0, Math.floor(random() * delivery.length))

const splice: Change = (delivery, other, random) => {
  const next = other()
  const [at, from] = [delivery, next].map(({ length }) => Math.floor(random() * (length + 1)))
  return Buffer.concat([delivery.subarray(0, at), next.subarray(from)])
}

/** Repeats a piece of the delivery, or a splinter, very many times. */
const blowUp: Change = (delivery, _, random) => {
  const at = Math.floor(random() * (delivery.length + 1))
  const to = Math.min(delivery.length, at + 1 + Math.floor(random() ** 2 * 300))
  const splinter = Buffer.from(splinters[Math.floor(random() * splinters.length)] ?? '')
  const stretch = random() < 0.5 ? delivery.subarray(at, to) : splinter
  const times = Math.min(20_000, Math.floor(200_000 / Math.max(1, stretch.length)))
  const many = Buffer.alloc(stretch.length * Math.floor(random() ** 2 * times), stretch.length === 0 ? ' ' : stretch)
  return Buffer.concat([delivery.subarray(0, at), many, delivery.subarray(at)])
}

const changes: readonly Change[] = [put, put, put, put, put, put, cutOff, splice, splice]

export function mutate(delivery: Buffer, other: () => Buffer, random: () => number): Buffer {
  let changed = delivery
  for (let count = 1 + Math.floor(random() * 6); count > 0; count -= 1) {
    const change = random() < 0.02 ? blowUp : (changes[Math.floor(random() * changes.length)] ?? put)
    changed = change(changed, other, random)
  }
  return changed
}
