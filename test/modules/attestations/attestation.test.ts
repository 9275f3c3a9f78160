// Attestations: what is signed, what is refused, and what stands in the repository's folder.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isKnownCode } from '../../../src/connectors/dcsa/codes.ts'
import { isPlainName } from '../../../src/connectors/dcsa/plain-names.ts'
import { checkAttestation } from '../../../src/modules/attestations/attestation.ts'
import { countInstallations } from '../../../src/modules/attestations/attestations.ts'
import { isSimulatedAddress } from '../../../src/modules/sources/attest-access.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { attest } from '../../support/attestations.ts'
import { journey } from '../../support/tracking-harness.ts'

const answer = [
  {
    ...journey('HLCUSHA260900001', 'sailed')[0],
    remarks: 'x',
    facilityTypeCode: 'POTE',
    eventTypeCode: 'ODDS',
    MSKU1: 1,
  },
]
const real = attest({ installation: 'one', answer })
const text = JSON.stringify(real)
const reasonOf = (changed: unknown): string => {
  const checked = checkAttestation(typeof changed === 'string' ? changed : JSON.stringify(changed))
  return checked.ok ? 'valid' : checked.reason
}

test('an attestation has known names as hashes, other plain names in clear, and only counts of everything else', () => {
  assert.deepEqual(real.shape.unknown, ['[].remarks string'])
  assert.equal(real.shape.unnamed, 1)
  const hashed = createHash('sha256').update('[].transportCall.vessel.vesselName string').digest('hex').slice(0, 16)
  assert.ok(real.shape.members.includes(hashed))
  assert.ok(real.shape.always.includes('vesselName'))
  assert.ok(real.shape.missing.includes('facilityName'))
  assert.deepEqual(real.codes.seen['equipmentEventTypeCode'], ['GTOT'])
  assert.deepEqual(real.codes.unknown, { eventTypeCode: 1 })
  assert.deepEqual(real.codes.shown, {})
})

test('an attestation is valid however its file is laid out', () => {
  assert.equal(reasonOf(text), 'valid')
  assert.equal(reasonOf(JSON.stringify(Object.fromEntries(Object.entries(real).toReversed()), null, 8)), 'valid')
})

test('the program openssl verifies the signature, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-attest-'))
  try {
    const { signature, ...signed } = real
    const write = (name: string, bytes: string | Buffer): string => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    }
    // Ed25519 as SubjectPublicKeyInfo (RFC 8410).
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(real.key, 'base64url')])
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`
    const sort = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sort)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.keys(value)
                .sort()
                .map((name) => [name, sort((value as Record<string, unknown>)[name])]),
            )
          : value
    const verify = (content: unknown): string => {
      const key = `-inkey ${write('key.pem', pem)} -rawin -in ${write('signed', JSON.stringify(sort(content)))}`
      const given = `${key} -sigfile ${write('signature', Buffer.from(signature, 'base64url'))}`
      return execFileSync('openssl', `pkeyutl -verify -pubin ${given}`.split(' '), {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    }
    assert.match(verify(signed), /Signature Verified Successfully/)
    assert.throws(() => verify({ ...signed, answers: 2 }))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what was changed, is not signed, or has another form is refused with the reason', () => {
  const { signature: _, ...unsigned } = real
  const other = attest({ installation: 'two', answer })
  for (const [changed, reason] of [
    ['', /^it is not JSON$/],
    [[], /^its format is not landfall-attestation\/1$/],
    [{ ...real, format: 'landfall-attestation/2' }, /^its format is not/],
    [unsigned, /^it has no signature$/],
    [{ ...real, line: 'MAEU' }, /^it was changed after it was signed/],
    [{ ...real, simulated: true }, /^it was changed/],
    [{ ...real, events: { ...real.events, read: 10 } }, /^it was changed/],
    [{ ...real, key: other.key }, /^it was changed/],
    [{ ...real, signature: other.signature }, /^it was changed/],
    [{ ...real, key: 'A'.repeat(43) }, /^it was changed/],
    [{ ...real, note: 'see HLCUSHA2609' }, /form of an attestation: \/note is not a known member/],
    [
      { ...real, shape: { ...real.shape, unknown: ['[].MSKU1 number'] } },
      /form of an attestation: \/shape\/unknown\/0/,
    ],
    [{ ...real, codes: { ...real.codes, shown: { 'Acme 7': ['X'] } } }, /form of an attestation/],
  ] as const)
    assert.match(reasonOf(changed), reason)
})

test('an installation has one key for all its attestations, which is of no other use', () => {
  const seedOf = (secret: string) => createEncryption(secret).attestationSeed().toString('hex')
  assert.equal(seedOf('a'.repeat(32)), seedOf('a'.repeat(32)))
  assert.notEqual(seedOf('a'.repeat(32)), seedOf('b'.repeat(32)))
})

test('installations are counted by their keys, with the last day of any of them', () => {
  const of = (installation: string, day: string, line = 'HLCU') => attest({ installation, answer, day, line })
  assert.deepEqual(
    countInstallations([
      of('one', '2026-01-20'),
      of('one', '2026-02-03'),
      of('two', '2026-01-30'),
      of('two', '2026-01-30', 'MAEU'),
    ]),
    [
      { scac: 'HLCU', installations: 2, lastOn: '2026-02-03' },
      { scac: 'MAEU', installations: 1, lastOn: '2026-01-30' },
    ],
  )
})

test('a line at an address that nobody else can reach is a simulated one', () => {
  for (const base of [
    'http://127.0.0.1:8080',
    'http://2130706433',
    'http://[::1]/v2',
    'https://10.1.2.3/x',
    'https://192.168.1.1',
    'https://localhost.',
    'https://line.localhost',
    'https://given-by-the-line.invalid',
    'https://line.test',
    'https://gateway',
    'https://api.corp.internal',
    'no address',
    undefined,
  ])
    assert.equal(isSimulatedAddress(base), true, String(base))
  for (const base of ['https://api.hlag.com', 'https://8.8.8.8/v2']) assert.equal(isSimulatedAddress(base), false, base)
})

test('plain names are made of words of the trade, and codes of the reader are known', () => {
  for (const name of ['remarks', 'plannedBerthTime', 'planned_berth_time', 'UNLocationCode', 'estimatedTimes', 'ETA'])
    assert.equal(isPlainName(name), true, name)
  for (const name of [
    'MSKU1234567',
    'acmeLogistics',
    'Acme',
    'a b',
    'x@y',
    '',
    'constructor',
    'eventZebra',
    '__proto__',
  ])
    assert.equal(isPlainName(name), false, name)
  assert.deepEqual(['GTIN', 'GATED_IN', 'FEEDER', 'ACME'].map(isKnownCode), [true, true, true, false])
})

test('each file in attestations/ is a valid attestation of a real line', () => {
  const folder = new URL('../../../attestations/', import.meta.url)
  for (const name of readdirSync(folder).filter((each) => each !== 'README.md')) {
    const checked = checkAttestation(readFileSync(new URL(name, folder), 'utf8'))
    assert.ok(checked.ok, `${name}: ${checked.ok ? '' : checked.reason}`)
    assert.equal(checked.value.simulated, false, `${name} is of a simulated line`)
    assert.equal(name, `${checked.value.line}-${checked.value.day}-${checked.value.key.slice(0, 8)}.json`)
  }
})
