// A wrong description is refused with the name of the field. The descriptions that Landfall contains are valid, and
// none is marked as tested.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findBuiltInDescription,
  readDescription,
  shippedNames,
} from '../../../src/connectors/terminal-api/description.ts'
import { source } from './answers.ts'

const right = { verified: false, boxes: '/units/*', number: '/nbr' }
const rightAsking = { base: 'https://pier.example', path: '/units/{number}' }

function faultOf(parse: (value: unknown) => unknown, value: unknown): string {
  const parsed = parse(value) as { readonly ok: boolean; readonly reason?: string }
  return parsed.ok ? 'none' : (parsed.reason ?? '')
}

const answerFault = (changes: object) =>
  faultOf((value) => source.parseProfile(JSON.parse(JSON.stringify(value))), { ...right, ...changes })
const askingFault = (changes: object) =>
  faultOf((value) => source.polling?.parseProfile(JSON.parse(JSON.stringify(value))), {
    ...rightAsking,
    ...changes,
  })

test('an invalid answer description is refused, and the reason names the wrong field', () => {
  assert.equal(answerFault({}), 'none')
  for (const [changes, field] of [
    [{ boxes: undefined }, /^\/boxes is missing/],
    [{ boxes: 'units' }, /^\/boxes/],
    [{ colour: 'red' }, /^\/colour is not a known member/],
    [{ facts: { mood: { at: '/x' } } }, /^\/facts\/mood is not a known member/],
    [{ facts: { available: { at: '/x', yes: ['Y'] } } }, /^\/facts\/available\/no is missing/],
    [{ facts: { weight_kg: { at: '/x', unit: 'stone' } } }, /^\/facts\/weight_kg\/unit/],
    [{ facts: { pickup_lfd_terminal: { at: '/x', format: 'DD.MM.YYYY' } } }, /^\/facts\/pickup_lfd_terminal\/format/],
    [{ facts: { pickup_appointment: { at: '/x', format: 'HH:mm' } } }, /must have year, month and day/],
    [{ zone: 'Pacific' }, /^\/zone is not a time zone/],
    [{ zones: { ET: 'Eastern' } }, /^\/zones\/ET is not a time zone/],
    [{ stands: [{ port: 'Long Beach' }] }, /^\/stands\/0\/port/],
    [{ events: [{ says: 'gone', time: { at: '/t' } }] }, /^\/events\/0\/says/],
    [{ events: [{ code: '/c', codes: { A: 'gone' }, time: { at: '/t' } }] }, /^\/events\/0\/codes\/A/],
  ] as const)
    assert.match(answerFault(changes), field, JSON.stringify(changes))
})

test('an invalid polling description is refused, and the reason names the wrong field', () => {
  assert.equal(askingFault({}), 'none')
  for (const [changes, field] of [
    [{ base: undefined }, /^\/base is missing/],
    [{ base: 'ftp://pier.example' }, /^\/base/],
    [{ path: '/units' }, /must contain \{number\}/],
    [{ path: '/units/{nmber}' }, /^\/path has the unknown placeholder \{nmber\}/],
    [{ query: { id: '{boxes}' } }, /^\/query\/id has the unknown placeholder \{boxes\}/],
    [{ batchMax: 20 }, /^\/batchMax must be 1/],
    [{ batchMax: 9_999 }, /^\/batchMax/],
    [{ queue: { base: 'https://q.example' } }, /^\/queue\/path is missing/],
    [{ queue: { base: 'https://q.example', path: '/q', mode: 'peek' } }, /^\/queue\/mode/],
    [
      { subscription: { againHours: 1 }, queue: { base: 'https://q.example', path: '/q' } },
      /^\/subscription and \/queue/,
    ],
    [{ subscription: {} }, /^\/subscription\/againHours is missing/],
    [{ body: { a: '{number}' } }, /^\/method is missing: state it if there is a \/body/],
    [{ path: '', method: 'GET', body: 'Box={number}', batchMax: 2 }, /^\/batchMax must be 1/],
    [{ headers: { Timestamp: '{time}' } }, /^\/headers\/Timestamp has the unknown placeholder \{time\}/],
    [
      { queue: { base: 'https://q.example', path: '/q', publishedBefore: { status: 412, word: 'a b' } } },
      /^\/queue\/publishedBefore\/word/,
    ],
    [{ headers: { Host: 'x' } }, /^\/headers\/Host/],
    [{ auth: { keyHeaders: { 'x key': 'apiKey' } } }, /^\/auth\/keyHeaders\/x key/],
    [{ auth: { token: 1 } }, /^\/auth\/token is not a known member/],
    [{ rate: { perMinute: 0 } }, /^\/rate\/perMinute/],
  ] as const)
    assert.match(askingFault(changes), field, JSON.stringify(changes))
})

test('each shipped description is valid with the settings of an operator, and none is marked as verified', () => {
  assert.ok(shippedNames.length >= 7)
  const given: Readonly<Record<string, unknown>> = {
    'asking.queue.path': '/topic/subscriptions/containerupdates/messages/head',
    'answer.stands': [{ port: 'USLAX', code: 'USLAX' }],
    'answer.boxes': '/*',
    'answer.number': '/number',
    'answer.facts': {},
  }
  for (const name of shippedNames) {
    const shipped = findBuiltInDescription(name)
    assert.ok(shipped?.evidence !== undefined && shipped.remarks !== undefined && shipped.speaker !== undefined, name)
    const own: Record<string, Record<string, unknown>> = {}
    for (const path of shipped.operatorSets ?? []) {
      const [part = '', ...rest] = path.split('.')
      const value = rest.slice(0, -1).reduceRight<unknown>((inner, step) => ({ [step]: inner }), {
        [rest.at(-1) ?? '']: given[path],
      })
      own[part] = { ...own[part], ...(value as object) }
    }
    const read = readDescription({ like: name, ...own })
    assert.ok(read.ok, name)
    const answer = source.parseProfile(read.value.answer)
    assert.ok(answer.ok, `${name}: ${answer.ok ? '' : answer.reason}`)
    assert.equal(answer.value.verified, false)
    const polling = source.polling?.parseProfile(read.value.asking)
    assert.ok(polling?.ok, `${name}: ${polling?.ok === false ? polling.reason : ''}`)
    if ((shipped.operatorSets ?? []).length === 0) continue
    const unset = [source.parseProfile(shipped.answer), source.polling?.parseProfile(shipped.asking)]
    assert.ok(unset.some((parsed) => parsed?.ok === false) || name === 'apmt', name)
  }
})

test('a description that is based on a shipped one replaces only the fields that it states', () => {
  const read = readDescription({ like: 'lbct', answer: { zone: 'place' }, asking: { batchMax: 5 } })
  assert.ok(read.ok)
  assert.equal(read.value.answer['zone'], 'place')
  assert.deepEqual(read.value.answer['number'], ['/id', '/container-id'])
  assert.equal(read.value.asking?.['batchMax'], 5)
  for (const [value, reason] of [
    [{ like: 'nobody' }, /^\/like must be one of/],
    [{ answers: {} }, /^\/(answer is missing|answers is not a known member)/],
    [[], /is not a JSON object/],
  ] as const)
    assert.match(faultOf(readDescription, value), reason)
})
