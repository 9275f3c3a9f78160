/** What every reader of messages must do, whatever its language. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { DeliveryParts, PushedSource } from '../../src/connectors/pushed-source.ts'
import { sourceIssueKinds } from '../../src/connectors/source-issue.ts'
import { isReferenceNumber } from '../../src/domain/values/identifiers.ts'
import { hostileText, mutate } from './conformance.ts'
import { bytesOf, snapshotOf } from './pushed-harness.ts'
import { assertSound, isNamedContainer } from './sound-reading.ts'

export interface ToldConformance<Profile> {
  readonly source: PushedSource<Profile>
  readonly profile: Profile
  /** Valid deliveries in JSON that have parts. */
  readonly samples: readonly unknown[]
}

export function describeToldConformance<Profile>(name: string, told: ToldConformance<Profile>): void {
  const { source, profile } = told
  const samples = told.samples.map(bytesOf)
  const hear = (body: Buffer): DeliveryParts => {
    const delivered = source.splitDelivery(body, profile)
    assertWhole(body, delivered)
    for (const part of delivered.parts.slice(0, 20))
      for (const subject of part.about.slice(0, 3))
        assertSound(source.read(snapshotOf(part.body), { speaker: 'shipping_line', messageSubject: subject }, profile))
    return delivered
  }

  describe(`The pushed source ${name}`, () => {
    it('splits its samples into parts whose observations the core accepts', () => {
      for (const sample of samples) {
        const { parts, faults } = hear(sample)
        assert.ok(parts.length > 0)
        assert.deepEqual(faults, [])
        for (const { about, body } of parts)
          for (const subject of about) {
            const reading = source.read(
              snapshotOf(body),
              { speaker: 'shipping_line', messageSubject: subject },
              profile,
            )
            assert.ok(reading.observations.length > 0 || reading.withdrawn.length > 0)
          }
      }
    })

    it('reads the same delivery the same way every time', () => {
      for (const sample of samples)
        assert.equal(JSON.stringify(hear(sample)), JSON.stringify(hear(Buffer.from(sample))))
    })

    it('never throws on arbitrary bytes and JSON, as a delivery or as a part', () => {
      const any = fc.oneof(
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((json) => Buffer.from(json)),
        fc.json().map((json) => Buffer.from(`[${json}]`)),
      )
      const subjects = fc.constantFrom('container' as const, 'bill_of_lading' as const, 'booking' as const)
      fc.assert(
        fc.property(any, subjects, (body, kind) => {
          hear(body)
          const of = { speaker: 'shipping_line', messageSubject: { kind, number: 'APZU4812090' } } as const
          assertSound(source.read(snapshotOf(body), of, profile))
        }),
        { numRuns: 300 },
      )
    })

    it('never throws on its samples with any value in place of any other', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...samples.filter(isJson)),
          fc.nat(),
          fc.oneof(fc.jsonValue(), hostileText),
          (sample, where, what) => {
            hear(bytesOf(mutate(JSON.parse(sample.toString()), where, what)))
          },
        ),
        { numRuns: 400 },
      )
    })

    it('never throws on its samples cut anywhere or with any byte changed', () => {
      fc.assert(
        fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat({ max: 255 }), (sample, where, byte) => {
          const at = where % sample.length
          const changed = Buffer.from(sample)
          changed[at] = byte
          for (const body of [sample.subarray(0, at), changed]) hear(body)
        }),
        { numRuns: 200 },
      )
    })

    it('reports deep nesting, very many parts and very large parts, and does not fail', () => {
      const deep = 400_000
      for (const hostile of [
        '['.repeat(deep),
        '{"a":'.repeat(deep),
        `[${'['.repeat(deep)}${']'.repeat(deep)}]`,
        `{"container":"APZU4812090","value":${'['.repeat(900)}${']'.repeat(900)}}`,
        `["${'\\"'.repeat(deep)}`,
        `[${'7,'.repeat(deep)}7]`,
        `[${'{},'.repeat(deep)}{}]`,
        `{"events":[{"a":"${'x'.repeat(25_000_000)}"}]}`,
        '\n'.repeat(deep),
        '{\n'.repeat(deep),
      ]) {
        const { parts, faults } = hear(Buffer.from(hostile))
        assert.equal(parts.length, 0)
        assert.ok(faults.length > 0 && faults.length <= 202)
      }
    })
  })
}

function isJson(sample: Buffer): boolean {
  try {
    JSON.parse(sample.toString())
    return true
  } catch {
    // A delivery that consists of lines.
    return false
  }
}

function assertWhole(body: Buffer, { parts, faults }: DeliveryParts): void {
  for (const { about, ranges, body: stored, writtenAt, deliveryKey } of parts) {
    assert.ok(about.length > 0)
    const kinds = about.map(({ kind }) => ['bill_of_lading', 'booking', 'container'].indexOf(kind))
    assert.deepEqual(kinds, kinds.toSorted())
    for (const { kind, number } of about)
      assert.ok(kind === 'container' ? isNamedContainer(number) : isReferenceNumber(number), number)
    assert.deepEqual(Buffer.concat(ranges.map(({ from, to }) => body.subarray(from, to))), stored)
    if (writtenAt !== null) assert.equal(writtenAt, new Date(writtenAt).toISOString())
    assert.ok(deliveryKey === null || deliveryKey.length < 1_000)
  }
  const keys = parts.flatMap(({ deliveryKey }) => (deliveryKey === null ? [] : [deliveryKey]))
  assert.equal(new Set(keys).size, keys.length, 'a delivery gives one thing once')
  for (const fault of faults) {
    assert.ok(sourceIssueKinds.includes(fault.kind))
    assert.ok(fault.detail.length > 0 && fault.detail.length < 200, fault.detail)
    assert.match(fault.path, /^(\/[^/]*)*$/)
  }
}
