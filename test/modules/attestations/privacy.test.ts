// An attestation has nothing of an answer that says whose goods they are, wherever a line writes it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { standardProfile } from '../../../src/connectors/dcsa/profile.ts'
import { learnShape, noShape, shapeOf } from '../../../src/domain/tracking-requests/answer-shape.ts'
import type { Attestation } from '../../../src/modules/attestations/attestation.ts'
import { describeShape } from '../../../src/modules/attestations/attested-shape.ts'
import type { Service } from '../../../src/modules/service.ts'
import { attestAccess } from '../../../src/modules/sources/attest-access.ts'
import type { AccessCheck } from '../../../src/modules/sources/check-access.ts'
import { readAnswer } from '../../../src/modules/sources/read-answer.ts'
import { defaultRules } from '../../../src/pipeline/ledger/rules.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { event, journey } from '../../support/tracking-harness.ts'

const at = '2026-02-01T00:00:00.000Z'
const encryption = createEncryption('a secret for tests that is long enough')
/** No answers were read before. */
const pool = { query: async () => ({ rows: [] }) }
const service = { pool, encryption, clock: { now: () => Date.parse(at) } } as unknown as Service
const context = { account: { isSandbox: false } } as Parameters<typeof attestAccess>[1]

/** As the command makes it from an answer of a line at a public address. */
async function attestAnswer(answer: unknown, { number, showsCodes = false }: { number: string; showsCodes?: boolean }) {
  const body = Buffer.from(JSON.stringify(answer))
  const access = {
    id: 'x',
    source: 'dcsa',
    profile: { ...standardProfile, scac: 'HLCU', base: 'https://api.hlag.com' },
  }
  const snapshot = { status: 200, contentType: 'application/json', body, fetchedAt: at }
  const reading = readAnswer(defaultRules, { scac: 'HLCU', kind: 'bill_of_lading', number, body, at, access })
  const check = { scac: 'HLCU', access, answer: { kind: 'answered', snapshot }, reading } as unknown as AccessCheck
  return attestAccess(service, context, { check, showsCodes })
}

const capitals = (min: number, max = min) => fc.stringMatching(new RegExp(`^[A-Z]{${min},${max}}$`))
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
const syllables = fc.constantFrom('zor', 'vex', 'qui', 'mub', 'kra', 'lyx', 'fyn', 'wob', 'juz', 'pry')
const word = fc.array(syllables, { minLength: 2, maxLength: 4 }).map((each) => each.join(''))
const title = word.map((each) => each.charAt(0).toUpperCase() + each.slice(1))
const secretText = fc.oneof(
  fc.tuple(capitals(3), digits(7)).map(([owner, number]) => `${owner}U${number}`),
  fc.tuple(capitals(4), digits(9)).map(([line, number]) => `${line}${number}`),
  digits(9),
  title,
  word,
  word.map((each) => each.toUpperCase()),
  fc.tuple(title, title).map(([one, other]) => `${one} ${other} GmbH & Co. KG`),
  fc.tuple(title, title).map(([one, other]) => `${one}${other}Ltd`),
  fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`),
  fc.base64String({ minLength: 24, maxLength: 40 }),
  fc.uuid(),
)

/** Names under which readers and watchers look for codes, names or numbers. */
const places = `
  eventTypeCode equipmentEventTypeCode eventClassifierCode documentTypeCode facilityTypeCode emptyIndicatorCode
  modeOfTransport referenceType documentReferenceType statusCode eventType vesselName locationName equipmentReference
  documentReferenceValue remarks partyName customCode`
  .trim()
  .split(/\s+/)

interface Plant {
  readonly text: string
  readonly way: number
  readonly place: string
  /** Which of the answer's objects gets it, however deep. */
  readonly object: number
}

/** Puts the text at one place of an answer: a value, a name, a part of a name, a name beside a mark, a number. */
function plant(answer: readonly object[], { text, way, place, object }: Plant): readonly object[] {
  const number = Number(text.replace(/\D/g, '').slice(0, 15)) || 7
  const members: readonly object[] = [
    { [place]: text },
    { [place]: text.toUpperCase().replace(/[^A-Z0-9]/g, '') },
    { [text]: place },
    { [text]: { [place]: text } },
    { [`${place}${text}`]: 1 },
    { [`${place} = ${text}`]: 'ARRI' },
    { [`${place} = ${text.toUpperCase()}`]: { typeCode: 'ARRI' } },
    { [`${text}.${place}`]: true },
    { [place]: { [text]: [{ typeCode: text.toUpperCase() }] } },
    { [place]: [[text], { [`${text}Code`]: 'ABC' }] },
    { [place]: number },
    { more: { [text]: number, list: [{ name: text, value: number }] } },
  ]
  const planted = structuredClone(answer)
  const objects: object[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) objects.push(value)
    for (const each of Object.values(value)) collect(each)
  }
  collect(planted)
  Object.assign(objects[object % objects.length] ?? {}, members[way % members.length])
  return planted
}

const partsOf = (text: string): readonly string[] =>
  text.length <= 4 ? [text] : Array.from({ length: text.length - 3 }, (_, from) => text.slice(from, from + 4))
const hashesOf = (text: string): readonly string[] =>
  ['sha256', 'sha1', 'md5'].flatMap((name) => {
    const digest = createHash(name).update(text).digest()
    return [digest.toString('hex').slice(0, 16), digest.toString('base64').slice(0, 16)]
  })

/** All that can carry words: not the hashes, and not key and signature, which follow from the rest. */
function wordsOf(attestation: Attestation): string {
  const without = { members: [], digest: '' }
  const shape = { ...attestation.shape, ...without }
  return JSON.stringify({ ...attestation, shape, key: '', signature: '' }).toLowerCase()
}

const bill = 'HLCUSHA260900001'
const usual: readonly object[] = [
  ...journey(bill, 'sailed'),
  event({ told: 1, code: 'GTIN', at: '2026-01-05T16:00:00Z', place: 'CNSHG', bill }),
]

/** Hashes of every path that an attestation may have: those of the answer without the plants, and of plain names. */
function allowedHashes(planted: unknown, texts: readonly string[]): ReadonlySet<string> {
  const clean = [...shapeOf(planted), ...shapeOf(usual)].filter(
    (path) => !texts.some((text) => path.toLowerCase().includes(text.toLowerCase())),
  )
  return new Set(clean.map((path) => createHash('sha256').update(path).digest('hex').slice(0, 16)))
}

test('no number, company, address or secret of an answer is in its attestation, nor a part or hash of it', async () => {
  const unchanged = await attestAnswer(usual, { number: bill })
  assert.equal(unchanged.simulated, false)
  const baseline = wordsOf(unchanged)
  const vocabulary = `${baseline} ${JSON.stringify(places).toLowerCase()} moretypecodelistnamevalue`
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ text: secretText, way: fc.nat(11), place: fc.constantFrom(...places), object: fc.nat(60) }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.boolean(),
      async (plants, isLearntBefore) => {
        const texts = plants.map(({ text }) => text)
        const planted = plants.reduce(plant, usual)
        const attestation = isLearntBefore
          ? ({
              ...(await attestAnswer(usual, { number: bill })),
              ...describeShape(learnShape(learnShape(noShape, shapeOf(planted), at), shapeOf(usual), at), {
                source: 'dcsa',
                shown: {},
              }),
            } as Attestation)
          : await attestAnswer(planted, { number: bill })
        const words = wordsOf(attestation)
        const allowed = allowedHashes(planted, texts)
        for (const hash of attestation.shape.members) assert.ok(allowed.has(hash), `a hash of something else: ${hash}`)
        for (const text of texts) {
          for (const part of partsOf(text.toLowerCase()))
            assert.ok(vocabulary.includes(part) || !words.includes(part), `${part} of ${text}`)
          for (const hash of [text, text.toUpperCase(), text.toLowerCase()].flatMap(hashesOf))
            assert.ok(!JSON.stringify(attestation).includes(hash), `a hash of ${text}`)
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('with unknown codes only short codes of the standard are named that occur nowhere else in the answer', async () => {
  const [first = {}, ...others] = usual
  const answer = [
    { ...first, eventTypeCode: 'ZORB', documentTypeCode: 'ACME', facilityTypeCode: 'WOB7', customCode: 'VEXED' },
    { ...others[0], equipmentEventTypeCode: 'TOOLONG', modeOfTransport: 'QUIK', remarks: 'for Acme Logistics' },
    ...others.slice(1),
  ]
  const { codes } = await attestAnswer(answer, { number: bill, showsCodes: true })
  assert.deepEqual(codes.shown, { eventTypeCode: ['ZORB'] })
  assert.deepEqual(codes.unknown, { documentTypeCode: 1, equipmentEventTypeCode: 1, eventTypeCode: 1 })
})

test('the planted texts of the first test do reach the shape of an answer', () => {
  const shapeWith = (way: number): readonly string[] => [
    ...shapeOf(plant(usual, { text: 'MSKU1234567', way, place: 'eventTypeCode', object: 0 })),
  ]
  assert.ok(shapeWith(0).includes('[].eventTypeCode = MSKU1234567'))
  assert.ok(shapeWith(2).includes('[].MSKU1234567 string'))
})
