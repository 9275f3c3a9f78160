// Operators hand each other signed reports about lines: made by a check, verified anywhere, imported, listed, counted.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Attestation } from '../../src/modules/attestations/attestation.ts'
import { importAttestation } from '../../src/modules/attestations/attestations.ts'
import { equipmentEvent, transportEvent } from '../connectors/dcsa/events.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { attest } from '../support/attestations.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestDatabase } from '../support/database.ts'
import { giveAccess, openTestService, type TestService } from '../support/service.ts'

let api: TestApi
let other: TestService
let carrier: Carrier
const otherSecret = 'the secret of another installation than this one'
let env: Readonly<Record<string, string>> = {}
const { folder, call } = openCommandLine(() => env)
const number = 'KNOWN1234567'
const planted = ['APZU4812090', number, 'King of the Seas', 'ACME']

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  other = await openTestService({ on: { database: await openTestDatabase(), secret: otherSecret } })
  carrier = await openCarrier()
  const company = { remarks: 'for ACME', eventTypeCode: 'ACME', documentTypeCode: 'ODDS' }
  carrier.answers({ json: [transportEvent(company), equipmentEvent({ MSKU1234567: 1 })] }, number)
  for (const installation of [api, other])
    await giveAccess(installation, { scac: 'TRKU', profile: carrier.profile('TRKU') })
  await other.newAccount()
})
after(async () => {
  await carrier.close()
  await api.close()
  await other.close()
})

const file = (name: string): string => join(folder, name)
const at = (installation: 'this' | 'other') => {
  const { databaseUrl } = installation === 'this' ? api : other
  const secret = installation === 'this' ? {} : { LANDFALL_SECRET: otherSecret }
  env = { DATABASE_URL: databaseUrl, LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8', ...secret }
}
const withoutInstallation = () => {
  env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
}
const write = (name: string, attestation: unknown): string => {
  writeFileSync(file(name), JSON.stringify(attestation))
  return file(name)
}
const read = (name: string): Attestation => JSON.parse(readFileSync(file(name), 'utf8'))
const metaOf = async (scac: string) =>
  (
    (await api.call({ url: `/v2/shipping_lines/${scac}` })).one() as unknown as {
      readonly meta: Readonly<Record<string, unknown>>
    }
  ).meta

test('a check of an access writes a signed report without numbers, names and unknown codes', async () => {
  at('this')
  const { id } = (await api.service.pool.query('select id from accounts limit 1')).rows[0]
  const checked = await call(`sources check TRKU ${number} --account ${id} --attest ${file('a.json')}`)
  assert.equal(checked.code, 0, checked.err)
  assert.match(checked.err, /a\.json is written\. Answers that it rests on: 1\./)
  const report = read('a.json')
  for (const text of planted) assert.ok(!JSON.stringify(report).includes(text), text)
  assert.deepEqual(
    [report.line, report.interface, report.simulated, report.answers, report.events.answers, report.shape.unnamed],
    ['TRKU', '2', true, 1, 1, 1],
  )
  assert.deepEqual(report.shape.unknown, ['[].remarks string'])
  assert.deepEqual(report.codes.unknown, { documentTypeCode: 1, eventTypeCode: 1 })
  at('other')
  const named = await call(`sources check TRKU ${number} --attest ${file('b.json')} --with-codes`)
  assert.equal(named.code, 0, named.err)
  assert.match(named.err, /^Codes that the report names: documentTypeCode ODDS\.\n/)
  assert.deepEqual(read('b.json').codes.shown, { documentTypeCode: ['ODDS'] })
  assert.notEqual(read('b.json').key, report.key)
})

test('nothing is attested without an answer about the number, and a file is never replaced', async () => {
  at('other')
  const unknown = await call(`sources check TRKU UNKNOWN7654321 --attest ${file('c.json')}`)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /There is nothing to attest/)
  assert.equal((await call(`sources check TRKU ${number} --attest ${file('b.json')}`)).code, 1)
  assert.equal((await call(`sources check TRKU ${number} --with-codes`)).code, 2)
})

test('reports are verified without an installation, and each that is not valid is named with the reason', async () => {
  withoutInstallation()
  const good = await call(`attest verify ${file('a.json')} ${file('b.json')}`)
  assert.equal(good.code, 0, good.err)
  assert.match(good.out, /a\.json: valid, TRKU, \d{4}-\d\d-\d\d, answers: 1, installation \S{8}, simulated\n/)
  const changed = write('changed.json', { ...read('a.json'), simulated: false })
  const { code, out } = await call(`attest verify ${file('a.json')} ${changed}`)
  assert.equal(code, 1)
  assert.match(out, /changed\.json: not valid: it was changed after it was signed/)
  assert.equal((await call('attest verify')).code, 2)
})

test('reports about simulated lines are imported only for a trial, listed together, and never counted', async () => {
  at('this')
  const refused = await call(`attest import ${file('a.json')}`)
  assert.equal(refused.code, 1)
  assert.match(refused.out, /not stored: it is of a simulated line/)
  assert.match((await call('attest list')).out, /^No line is attested\.\n$/)
  const taken = await call(`attest import ${file('a.json')} ${file('b.json')} --simulated`)
  assert.equal(taken.code, 0, taken.err)
  const { out } = await call('attest list')
  assert.match(out, /^TRKU \(simulated\) {2}2 +\d{4}-\d\d-\d\d {2}dcsa \d+ /m)
  assert.match(out, /documentTypeCode 1 ODDS; eventTypeCode 1$/m)
  assert.deepEqual([(await metaOf('TRKU'))['attested_by'], (await metaOf('TRKU'))['attested_on']], [0, null])
})

test('reports of several installations about one line are merged, and the API counts the installations', async () => {
  at('this')
  const answer = [transportEvent({})]
  const events = { read: 90, partly: 5, lost: 5 }
  const files = [
    write('1.json', attest({ installation: 'one', answer, day: '2026-01-20' })),
    write('2.json', attest({ installation: 'one', answer, day: '2026-02-20', events })),
    write('3.json', attest({ installation: 'two', answer, day: '2026-02-10', events: { read: 100, lost: 0 } })),
  ]
  const taken = await call(`attest import ${files.join(' ')}`)
  assert.equal(taken.code, 0, taken.err)
  assert.match((await call(`attest import ${files[0]}`)).out, /1\.json: there already, HLCU, 2026-01-20/)
  const [line] = JSON.parse((await call('attest list --json')).out)
  const installations = { scac: 'HLCU', installations: 2, last_on: '2026-02-20', simulated: false }
  assert.deepEqual(line, {
    ...installations,
    readers: ['dcsa 5'],
    read_share: 0.95,
    unknown_codes: {},
    shown_codes: {},
  })
  assert.match((await call('attest list')).out, /^HLCU +2 +2026-02-20 {2}dcsa 5 +95\.0 % +–$/m)
  assert.deepEqual([(await metaOf('HLCU'))['attested_by'], (await metaOf('HLCU'))['attested_on']], [2, '2026-02-20'])
  assert.deepEqual([(await metaOf('MAEU'))['attested_by'], (await metaOf('MAEU'))['attested_on']], [0, null])
})

test('of files that are imported together the bad ones are refused and the others stored', async () => {
  at('this')
  const answer = [transportEvent({})]
  const good = write('good.json', attest({ installation: 'three', answer, line: 'MAEU' }))
  const future = write('future.json', attest({ installation: 'three', answer, line: 'MAEU', day: '2099-01-01' }))
  const { code, out } = await call(`attest import ${future} ${file('changed.json')} ${good}`)
  assert.equal(code, 1)
  assert.match(out, /future\.json: not stored: its day, 2099-01-01, is to come\.\n/)
  assert.match(out, /changed\.json: not stored: it was changed/)
  assert.match(out, /good\.json: stored, MAEU/)
  assert.equal((await metaOf('MAEU'))['attested_by'], 1)
})

test('a report that two operators import at once is stored once', async () => {
  const text = JSON.stringify(attest({ installation: 'four', answer: [transportEvent({})], line: 'ONEY' }))
  const results = await Promise.all(
    Array.from({ length: 4 }, () => importAttestation(api.service, { text, takesSimulated: false })),
  )
  assert.equal(results.filter((result) => result.ok && result.value.isNew).length, 1)
  assert.equal(results.filter((result) => result.ok).length, 4)
  assert.equal((await metaOf('ONEY'))['attested_by'], 1)
})
