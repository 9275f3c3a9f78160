/** The readers of the product understand all messages that partners send about tracked shipments. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES } from '../../sandbox/lines.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { messagesOf, PARTNERS } from '../../sandbox/partners.ts'
import { World } from '../../sandbox/world.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import type { SourceKind } from '../../src/domain/statements/observation.ts'
import { Asker, EPOCH } from './ask.ts'

const world = new World(1, EPOCH)
const shipments = world
  .recent(EPOCH + 70 * DAY, 120, null)
  .filter(({ scenario }) => !scenario.startsWith('story_'))
  .slice(0, 500)

for (const partner of PARTNERS) {
  test(`${partner.channel}: each message is parsed completely, without issues`, () => {
    const source = findPushedSource(partner.language)
    assert.ok(source)
    const profile = source.parseProfile(partner.profile)
    assert.ok(profile.ok)
    const speaker = partner.speaker.split(':')[0] as SourceKind
    const said = new Map<string, number>()
    let read = 0
    for (const shipment of shipments) {
      const box = shipment.boxes[0]
      if (box === undefined) continue
      const messages = messagesOf(partner, shipment, 0)
      assert.deepEqual(messagesOf(partner, shipment, 0), messages)
      for (const { bytes } of messages) {
        const isList = partner.language === 'arrival_notice'
        const { parts, faults } = source.splitDelivery(Buffer.from(isList ? `[${bytes}]` : bytes), profile.value)
        assert.deepEqual(faults, [], bytes)
        assert.ok(parts.length > 0, bytes)
        for (const part of parts) {
          const subject = part.about[0]
          assert.ok(subject, bytes)
          const snapshot = {
            status: 200,
            contentType: null,
            body: part.body,
            fetchedAt: '2026-06-01T00:00:00.000Z',
          }
          const reading = source.read(snapshot, { messageSubject: subject, speaker }, profile.value)
          const wrong = reading.issues.filter(({ lost }) => lost !== 'nothing')
          assert.deepEqual(wrong, [], bytes)
          for (const each of reading.observations) {
            const what = each.kind === 'event' ? String(each.code) : each.fact
            said.set(what, (said.get(what) ?? 0) + 1)
          }
          read += 1
        }
      }
    }
    assert.ok(read > 5, `${read} parts`)
    const wanted: Readonly<Record<string, readonly string[]>> = {
      'sandbox-terminals-315': ['DISC', 'GTOT', 'hold', 'pickup_lfd_terminal', 'pickup_appointment'],
      'sandbox-uprr-322': ['LOAD', 'DEPA', 'ARRI', 'DISC', 'GTOT', 'pickup_lfd_rail'],
      'sandbox-hlcu-iftsta': ['LOAD', 'DISC', 'GTIN', 'GTOT'],
      'sandbox-quays-edifact': ['DISC', 'GTOT', 'weight_kg'],
    }
    for (const what of wanted[partner.channel] ?? ['pickup_lfd_line', 'hold', 'weight_kg'])
      assert.ok(said.has(what), `${what} is never said: ${[...said.keys()].join()}`)
  })
}

test('every partner line is a known line, and a partner without a key sends nothing', async (t) => {
  for (const { speaker } of PARTNERS)
    if (speaker.startsWith('shipping_line:'))
      assert.ok(
        LINES.some(({ scac }) => speaker.endsWith(scac)),
        speaker,
      )
  const asker = await Asker.start(t)
  const listed = JSON.parse((await asker.get('/sandbox/partners')).text) as readonly { channel: string }[]
  assert.deepEqual(
    listed.map(({ channel }) => channel),
    PARTNERS.map(({ channel }) => channel),
  )
  const elsewhere = JSON.stringify({ inbound: 'http://example.com/v2/inbound', keys: {} })
  assert.equal((await asker.get('/sandbox/partners', { method: 'POST', body: elsewhere })).status, 400)
})
