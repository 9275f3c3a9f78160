/**
 * What every source must do, whatever its language. A new source is added to `conformance.test.ts` with samples of its
 * language; nothing here depends on their content.
 */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  numberKinds,
  type PollRequest,
  type RawSnapshot,
  type Reading,
  type Source,
} from '../../src/connectors/source.ts'
import { assertSound } from './sound-reading.ts'

export interface Conformance<Profile> {
  readonly source: Source<Profile>
  /** Every profile is tested; one of them has the least strict settings. */
  readonly profiles: readonly Profile[]
  /** Valid answers. */
  readonly samples: readonly Buffer[]
  readonly contentType: string
  /** The sample with its statements in another order; null when the language has only one order. */
  readonly shuffle: ((sample: Buffer, order: readonly number[]) => Buffer) | null
  /** A sample with an unknown code and an unknown place. */
  readonly unknowns: Buffer
  /** The members with places, and the members with ids of the source; null for a language without members. */
  readonly members: { readonly places: readonly string[]; readonly ids: readonly string[] } | null
}

/** Texts that JSON allows, but that no database, page or key can have. */
export const hostileText = fc.constantFrom(
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00 y',
  ' \u0007 ',
  '\u{1f6a2}'.repeat(200),
  'z'.repeat(5_000),
)

const requests: readonly PollRequest[] = numberKinds.map((kind) => ({
  scac: 'ACLU',
  kind,
  number: 'APZU4812090',
}))

/**
 * An answer about other documents than the requested one belongs to no shipment; for a container that it names it is used.
 */
function aboutBoxIn(body: Buffer): readonly PollRequest[] {
  const [number] = (body.toString().match(/[A-Z]{3}[UJZ]\d{7}/g) ?? []).toSorted()
  return number === undefined ? [] : [{ scac: 'ACLU', kind: 'container', number }]
}

export function describeConformance<Profile>(name: string, conformance: Conformance<Profile>): void {
  const { source, profiles, samples, contentType } = conformance
  const snapshotOf = (body: Buffer, changes: Partial<RawSnapshot> = {}): RawSnapshot => ({
    status: 200,
    contentType,
    body,
    fetchedAt: '2026-03-01T00:00:00.000Z',
    ...changes,
  })
  const readEvery = (snapshot: RawSnapshot): readonly Reading[] =>
    [...requests, ...aboutBoxIn(snapshot.body)].flatMap((request) =>
      profiles.map((profile) => source.read(snapshot, request, profile)),
    )

  describe(`The source ${name}`, () => {
    it('reads its samples into observations that the core accepts', () => {
      for (const sample of samples) {
        const readings = readEvery(snapshotOf(sample))
        assert.ok(readings.some(({ observations }) => observations.length > 0))
        readings.forEach(assertSound)
      }
    })

    it('never throws on arbitrary bytes, with any status and content type', () => {
      const bytes = fc.uint8Array({ maxLength: 300 })
      const type = fc.oneof(
        fc.constant(null),
        fc.constant(contentType),
        fc.string(),
        fc.constant('application/vnd.landfall.pages'),
      )
      fc.assert(
        fc.property(bytes, fc.integer({ min: 100, max: 599 }), type, (body, status, contentType) => {
          readEvery(snapshotOf(Buffer.from(body), { status, contentType })).forEach(assertSound)
        }),
        { numRuns: 300 },
      )
    })

    it('never throws on arbitrary JSON', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.json(),
            fc.json().map((json) => `[${json}]`),
          ),
          (json) => {
            readEvery(snapshotOf(Buffer.from(json))).forEach(assertSound)
          },
        ),
        { numRuns: 300 },
      )
    })

    it('never throws on its samples with any value in place of any other', () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...samples),
          fc.nat(),
          fc.oneof(fc.jsonValue(), hostileText),
          (sample, where, what) => {
            const mutated = mutate(JSON.parse(sample.toString()), where, what)
            readEvery(snapshotOf(Buffer.from(JSON.stringify(mutated)))).forEach(assertSound)
          },
        ),
        { numRuns: 500 },
      )
    })

    it('never throws on its samples cut anywhere or with any byte changed', () => {
      fc.assert(
        fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat({ max: 255 }), (sample, where, byte) => {
          const at = where % sample.length
          const changed = Buffer.from(sample)
          changed[at] = byte
          for (const body of [sample.subarray(0, at), changed]) readEvery(snapshotOf(body)).forEach(assertSound)
        }),
        { numRuns: 200 },
      )
    })

    it('reads the same snapshot the same way every time', () => {
      for (const sample of samples) {
        assert.equal(JSON.stringify(readEvery(snapshotOf(sample))), JSON.stringify(readEvery(snapshotOf(sample))))
      }
    })

    it('reads the same whatever the order of statements in an answer', () => {
      const { shuffle } = conformance
      if (shuffle === null) return
      const stated = (sample: Buffer): string =>
        JSON.stringify(
          readEvery(snapshotOf(sample)).map(({ outcome, observations, about, withdrawn }) => ({
            verdict: outcome,
            observations,
            about,
            withdrawn,
          })),
        )
      fc.assert(
        fc.property(fc.constantFrom(...samples), fc.array(fc.nat(), { maxLength: 40 }), (sample, order) => {
          assert.equal(stated(shuffle(sample, order)), stated(sample))
        }),
        { numRuns: 100 },
      )
    })

    it('reports unknown codes and places, and reads the rest', () => {
      for (const reading of readEvery(snapshotOf(conformance.unknowns))) {
        const kinds = reading.issues.map(({ kind }) => kind)
        assert.ok(kinds.includes('unknown_code'), kinds.join())
        assert.ok(kinds.includes('unknown_place'), kinds.join())
        assertSound(reading)
      }
    })

    const { members } = conformance
    if (members === null) return
    const readChanged = (sample: Buffer, change: (name: string, value: unknown) => readonly Member[]) => {
      const changed = eachMember(JSON.parse(sample.toString()), change)
      return readEvery(snapshotOf(Buffer.from(JSON.stringify(changed))))
    }
    const whole = (reading: Reading): string =>
      JSON.stringify(reading, (name, value) => (name === 'path' ? String(value).toLowerCase() : value))

    it('renamed case: reads member names in any case, and reports them as the source spelled them', () => {
      const spellings: readonly ((name: string) => string)[] = [
        (name) => name.toLowerCase(),
        (name) => name.toUpperCase(),
        (name) => name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase(),
      ]
      for (const sample of samples)
        for (const spell of spellings) {
          const readings = readChanged(sample, (name, value) => [[spell(name), value]])
          assert.deepEqual(readings.map(whole), readEvery(snapshotOf(sample)).map(whole))
        }
    })

    it('unknown extra fields: reads the same with any extra fields', () => {
      const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
      const extra: readonly Member[] = [
        ['__proto__', { polluted: true }],
        ['constructor', 'x'],
        ['somethingElse', { eventType: 7, deep }],
        ['', null],
      ]
      for (const sample of samples) {
        const readings = readChanged(sample, (name, value) => [...extra, [name, value]])
        assert.deepEqual(readings.map(whole), readEvery(snapshotOf(sample)).map(whole))
      }
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    })

    it('no places: reads the events, and makes no place up', () => {
      const happened = ({ outcome, observations }: Reading): unknown => {
        const events = observations.filter((each) => each.kind === 'event')
        const stated = events.map(({ classifier, code, equipment }) => [classifier, code, equipment].join(' '))
        return [outcome, [...new Set(stated)].sort()]
      }
      for (const sample of samples) {
        const readings = readChanged(sample, (name, value) => (members.places.includes(name) ? [] : [[name, value]]))
        assert.deepEqual(readings.map(happened), readEvery(snapshotOf(sample)).map(happened))
        for (const { observations } of readings)
          for (const each of observations)
            if (each.kind === 'event') assert.deepEqual(new Set(Object.values(each.place)), new Set([null]))
      }
    })

    it('ids that are no UUIDs: reads the same as with UUIDs, without an issue', () => {
      const stated = ({ outcome, observations, issues, withdrawn }: Reading): unknown => [
        outcome,
        observations.map((each) => JSON.stringify({ ...each, key: '' })).sort(),
        issues.filter(({ kind }) => kind !== 'bad_event_id').map(({ kind, path }) => `${kind} ${path}`),
        withdrawn.length,
      ]
      for (const sample of samples) {
        const ids = new Map<unknown, string>()
        const readings = readChanged(sample, (name, value) => {
          if (!members.ids.includes(name) || typeof value !== 'string') return [[name, value]]
          if (!ids.has(value)) ids.set(value, `10755${ids.size} /no-uuid`)
          return [[name, ids.get(value)]]
        })
        assert.deepEqual(readings.map(stated), readEvery(snapshotOf(sample)).map(stated))
        for (const { issues } of readings) assert.ok(issues.every(({ kind }) => kind !== 'bad_event_id'))
      }
    })
  })
}

type Member = readonly [name: string, value: unknown]

/** Applies `change` to the members of every object inside. */
function eachMember(value: unknown, change: (name: string, value: unknown) => readonly Member[]): unknown {
  if (Array.isArray(value)) return value.map((each) => eachMember(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => change(name, eachMember(member, change))))
}

/** Replaces value number `where` (modulo the number of values) by `what`. */
export function mutate(value: unknown, where: number, what: unknown): unknown {
  let left = where % Math.max(1, count(value))
  const visit = (each: unknown): unknown => {
    if (left === 0) {
      left -= 1
      return what
    }
    left -= 1
    if (Array.isArray(each)) return each.map(visit)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, visit(member)]))
  }
  return visit(value)
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1)
}
