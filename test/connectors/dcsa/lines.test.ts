/**
 * Answers in the shapes that lines really send, and what must be read from every event. The expected rows are
 * written by hand from the answers (`fixtures/line-….txt`); `fixtures/README.md` says how each shape is known.
 */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import type { DcsaProfile } from '../../../src/connectors/dcsa/profile.ts'
import { findDcsaProfile, lineProfiles } from '../../../src/connectors/dcsa/profiles/lines.ts'
import type { Reading } from '../../../src/connectors/source.ts'
import { diffShipment } from '../../../src/domain/changes/diff-shipment.ts'
import { projectShipment } from '../../../src/domain/shipment/shipment.ts'
import { reconcileClaims } from '../../../src/domain/statements/claims.ts'
import type { Claim, EventObservation } from '../../../src/domain/statements/observation.ts'
import { membersOf } from '../../../src/domain/values/json-value.ts'
import type { ShipmentProjection } from '../../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { eventsOf, factsOf } from './events.ts'
import { type LineStory, readLineStories } from './line-story.ts'

const source = openDcsaSource()
const readAt = '2026-03-01T00:00:00.000Z'
const stories = readLineStories()

function storyOf(scac: string): LineStory {
  const story = stories.find((each) => each.scac === scac)
  assert.ok(story)
  return story
}

function readStory({ scac, asks, answer }: LineStory, change = (body: string): string => body): Reading {
  const body = Buffer.from(change(answer.toString()))
  const snapshot = { status: 200, contentType: 'application/json', body, fetchedAt: readAt }
  return source.read(snapshot, { scac, ...asks }, profileOf(scac))
}

function profileOf(scac: string): DcsaProfile {
  const profile = findDcsaProfile(scac)
  assert.ok(profile)
  return profile
}

function rowOf(event: EventObservation): string {
  const { time, classifier, code, original, equipment, load, mode, place, vessel, voyage } = event
  const when = time.kind === 'instant' ? time.at : time.kind === 'day' ? time.on : time.local
  // For an event about a document, the text of the line also names the document.
  const what = original?.includes(' ') ? original : code
  return [
    [when.replace(/(?::00)?\.000Z$/, 'Z')],
    [classifier, what, equipment, load, mode],
    [place.unlocode, place.name, place.timeZone, place.facilityCode],
    [vessel?.imo, vessel?.name, voyage],
  ]
    .map((part) => part.map((each) => each ?? '-').join(' '))
    .join(' | ')
}

function codeOf(value: unknown): unknown {
  return membersOf(value)['unlocode'] ?? value
}

/** A shipment of one poll, and of further polls when there are some. */
class Shipment {
  claims: readonly Claim[] = []
  projection: ShipmentProjection | null = null
  readonly #story: LineStory

  constructor(story: LineStory) {
    this.#story = story
  }

  /** The events for subscribers. */
  look(reading: Reading, at: string): readonly string[] {
    const stated = { kind: 'shipping_line', code: this.#story.scac } as const
    const { add, retire } = reconcileClaims(this.claims, reading.observations, {
      source: stated,
      isFullPicture: false,
      missingBefore: [],
    })
    const added = add.map(
      (observation): Claim => ({
        id: `${at}/${observation.key}`,
        source: stated,
        observation,
        readAt: at,
        recordedAt: at,
        standsAt: at,
        hand: 'first',
        deliveryKey: null,
        retiredAt: null,
      }),
    )
    this.claims = [...this.claims.filter(({ id }) => !retire.includes(id)), ...added]
    const before = this.projection
    this.projection = projectShipment({
      claims: this.claims,
      line: { scac: this.#story.scac, isAverageWeight: false },
      request: { ...this.#story.asks, requestedAt: '2026-01-01T00:00:00.000Z' },
      now: at,
      previous: before,
      rules: defaultProjectionRules,
      areaOf: rampAreaOf,
    })
    return diffShipment(before, this.projection, defaultProjectionRules).map(({ kind }) => kind)
  }

  milestonesOf(key: string): string {
    const told = (this.projection?.containers ?? []).flatMap(({ milestones }) =>
      milestones
        .filter(({ claimId }) => claimId.endsWith(`/${key}`))
        .map(({ kind, name }) => (kind === 'estimated' ? `estimated.${name}` : name)),
    )
    return [...new Set(told)].join(' ') || 'raw'
  }
}

for (const story of stories) {
  describe(`${[story.scac, story.variant].filter(Boolean).join(', ')} (${story.shape})`, () => {
    const reading = readStory(story)

    it('is read event by event, each with its time, place, zone and ship', () => {
      assert.equal(reading.outcome, 'found')
      assert.deepEqual(
        eventsOf(reading).map(rowOf).sort(),
        story.rows.map(({ said: stated }) => stated),
      )
    })

    it('gives the milestones that each event means, and no others', () => {
      const shipment = new Shipment(story)
      shipment.look(reading, readAt)
      const told = eventsOf(reading).map((event) => `${rowOf(event)} | ${shipment.milestonesOf(event.key)}`)
      assert.deepEqual(
        told.sort(),
        story.rows.map(
          ({ said: stated, comesTo, today }) => `${stated} | ${today ?? comesTo.replace(/^raw:.*/, 'raw')}`,
        ),
      )
    })

    it('gives its numbers, sizes, seals and roles of ports, as far as the line has such data', () => {
      const facts = Object.entries(factsOf(reading)).map(([fact, value]) => `${fact} ${codeOf(value)}`)
      assert.deepEqual(facts.sort(), story.facts)
    })

    it('loses only the data that the story lists as lost', () => {
      const lost = reading.issues.filter(({ lost }) => lost !== 'nothing')
      assert.deepEqual(
        lost
          .map(({ kind, path, lost }) => `${path} | ${kind} | ${lost === 'event' ? 'the event' : 'one member'}`)
          .sort(),
        story.losses.map(({ path, kind, what }) => `${path} | ${kind} | ${what}`).sort(),
      )
      const lostEvents = story.losses.filter(({ what }) => what === 'the event').length
      assert.equal(eventsOf(reading).length + lostEvents, story.events)
    })
  })
}

it('each API of a line has a sample answer in these tests, and no API is marked as verified', () => {
  const platformOf = ({ base, path }: DcsaProfile): string => base + path
  const told = new Set(stories.map(({ scac }) => platformOf(profileOf(scac))))
  for (const { profile } of lineProfiles) assert.ok(told.has(platformOf(profile)), profile.scac)
  assert.deepEqual(new Set(lineProfiles.map(({ profile }) => profile.verified)), new Set([false]))
})

describe('MSC', () => {
  const story = storyOf('MSCU')

  it('uses its event ids as keys, except for ids that change with each estimate', () => {
    const reading = readStory(story)
    assert.deepEqual(
      eventsOf(reading).map(({ key }) => key),
      [
        '2075016818',
        '2075821792',
        '2076525830',
        '2077740398',
        '2078904433',
        'ACT|ARRI|-|VESSEL|KRPUS|-|KRPUSQZ601A|-',
        'ACT|DEPA|-|VESSEL|CNSHG|-|CNSHAQZ601A|-',
        'ACT|DEPA|-|VESSEL|KRPUS|-|KRPUS2602W|-',
        'EST|ARRI|-|VESSEL|CLVAP|2602W|CLVAP2602W|-',
      ],
    )
    const unkept = reading.issues.filter(({ kind }) => kind === 'bad_event_id')
    assert.deepEqual(
      unkept.map(({ path, lost }) => `${path} ${lost}`),
      ['/0/eventId nothing'],
    )
  })

  it('reads the same events for a container as for its bill', () => {
    const asks = { kind: 'container', number: 'MEDU4801232' } as const
    assert.deepEqual(eventsOf(readStory({ ...story, asks })), eventsOf(readStory(story)))
  })
})

describe('Maersk dates its transport events by the day of the poll:', () => {
  const story = storyOf('MAEU')
  const askedAgain = (body: string): string => body.replaceAll('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z')
  const nextDay = '2026-03-02T00:00:00.000Z'

  it('the same answer on the next day changes nothing', () => {
    const shipment = new Shipment(story)
    assert.ok(shipment.look(readStory(story), readAt).includes('estimate_announced'))
    const before = shipment.claims
    assert.deepEqual(shipment.look(readStory(story, askedAgain), nextDay), [])
    assert.deepEqual(shipment.claims, before)
    const dated = eventsOf(readStory(story)).filter(({ code }) => code === 'ARRI' || code === 'DEPA')
    assert.deepEqual(new Set(dated.map(({ statedAt }) => statedAt)), new Set([null]))
  })

  it('a changed estimate is announced', () => {
    const shipment = new Shipment(story)
    shipment.look(readStory(story), readAt)
    const later = (body: string): string => askedAgain(body).replace('2026-03-10T18:00:00Z', '2026-03-12T18:00:00Z')
    assert.ok(shipment.look(readStory(story, later), nextDay).includes('estimate_announced'))
  })
})
