/**
 * Existing installations keep working: every stored installation is restored, upgraded by the code of today, opened with
 * its secret and sent the same requests as then. CONTRIBUTING.md says how to store another one.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { missingIn } from '../../tools/keep-installation/contents.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { openPerson } from '../support/person.ts'
import { inFull } from '../support/scale.ts'
import { compareRows } from './compare-rows.ts'
import { type Difference, refuseUnintended } from './differences.ts'
import { type IntendedDifference, intendedDifferences } from './intended-differences.ts'
import { type Kept, listKept, readKept } from './kept.ts'
import { changeOfNothing } from './observed.ts'
import { restoreKept, upgrade } from './restore.ts'
import { type Dump, dumpRows, rowsOf } from './rows.ts'
import {
  askAgain,
  eventsOf,
  foldAgain,
  goOn,
  isSignedBy,
  mendAll,
  olderDischarge,
  openSealedAgain,
  openUpgraded,
  secretsOf,
  type Upgraded,
} from './upgraded.ts'

const met = new Set<IntendedDifference>()
const refuse = (differences: readonly Difference[]): void => {
  for (const each of refuseUnintended(differences)) met.add(each)
}

/** The oldest one has most to repair, and is the smallest; the newest is of the last release. */
const [oldest, newest] = [listKept()[0], listKept().at(-1)]

for (const name of listKept())
  describe(`the stored installation ${name}`, name === oldest || name === newest ? {} : inFull, () => {
    let kept: Kept
    let database: TestDatabase
    let upgraded: Upgraded
    let rows: Dump

    before(async () => {
      kept = readKept(name)
      database = await openTestDatabase()
      await restoreKept(database.url, kept)
      await upgrade(database.url)
      upgraded = await openUpgraded(kept, database.url)
      rows = await dumpRows(upgraded.api.service.pool, { withOldNames: true })
    })
    after(async () => {
      await upgraded?.close()
      await database?.close()
    })

    test('contains every kind of data that an upgrade could break', () => {
      assert.deepEqual(missingIn(kept.contents), [])
    })

    test('loses no row and no value in the migrations, and gains none', async () => {
      refuse(compareRows(kept, withoutTester(rows, upgraded)))
    })

    test('keeps the number of each event, without gaps', () => {
      for (const [account, events] of Map.groupBy(rowsOf(kept, 'events'), (row) => row.get('account_id'))) {
        const numbers = new Map(events.map((row) => [row.get('id'), row.get('sequence')]))
        const now = rowsOf(rows, 'events').filter((row) => row.get('account_id') === account)
        const sequences = now.flatMap((row) => row.get('sequence') ?? []).map(Number)
        assert.deepEqual(
          sequences.toSorted((a, b) => a - b),
          Array.from({ length: sequences.length }, (_, index) => index + 1),
        )
        for (const row of now) assert.equal(row.get('sequence'), numbers.get(row.get('id')), row.get('id') ?? '')
      }
    })

    test('can decrypt everything that its secret encrypted', async () => {
      assert.ok(kept.observed.sealed.length > 0)
      refuse(openSealedAgain(upgraded, rows))
    })

    test('accepts and refuses the same credentials as before', async () => {
      const { api } = upgraded
      for (const { key, about, reads, writes } of kept.observed.keys) {
        assert.equal((await api.call({ url: '/v2/shipments', key })).status, reads, about)
        const written = await api.call({ method: 'PATCH', key, ...changeOfNothing })
        assert.equal(written.status, writes, about)
      }
      for (const { accessToken } of kept.observed.apps) {
        const headers = { authorization: `Bearer ${accessToken}` }
        assert.equal((await api.call({ url: '/v2/shipments', key: null, headers })).status, 200)
      }
    })

    test('gives the same answers as before', async () => {
      const differences = await askAgain(upgraded)
      refuse((await hasNewerZones(upgraded)) ? differences.filter((each) => !isOfOrder(each)) : differences)
    })

    test('keeps people signed in, and accepts their passwords and codes', async () => {
      for (const { email, password, cookies, totpSecret } of kept.observed.people) {
        const there = openPerson(upgraded.api)
        for (const [name, value] of Object.entries(cookies)) there.cookies.set(name, value)
        assert.match((await there.open('/account')).text, new RegExp(email.replaceAll('.', '\\.')))
        const anew = openPerson(upgraded.api)
        const answer = await anew.send('/sign-in', { email, password })
        assert.equal(answer.status, 303, email)
        if (totpSecret === null) continue
        assert.equal(answer.location, '/sign-in/code')
        const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) })
        const code = totp.generate({ timestamp: upgraded.api.clock.now() })
        assert.equal((await anew.send('/sign-in/code', { code })).status, 303, email)
      }
    })

    test('gives the same rows when its ledger is folded again', async () => {
      refuse(await foldAgain(upgraded))
    })

    const repaired = name === oldest ? {} : inFull
    test('is repaired for new rules that combine sources, and announces each correction once', repaired, async () => {
      const own = await openUpgraded(kept, database.url)
      try {
        const tampered = await olderDischarge(own)
        const before = new Set((await eventsOf(own)).map(({ id }) => id))
        assert.ok((await mendAll(own)) > 0)
        const after = await eventsOf(own)
        assert.ok(
          [...before].every((id) => after.some((event) => event.id === id)),
          'every event of then stands',
        )
        const corrected = after.filter(({ id, name, container }) => {
          const isCorrection = name === 'container.transport.corrected' && container === tampered
          return isCorrection && !before.has(id)
        })
        assert.equal(corrected.length, 1)

        await own.api.service.pool.query({ text: 'delete from mendings' })
        await mendAll(own)
        assert.equal((await eventsOf(own)).length, after.length, 'a second walk announces nothing')
        const differences = await foldAgain(own)
        const ofRules = differences.filter(({ what }) => !/^fold (claims|issues)/.test(what))
        assert.deepEqual(ofRules, [])
      } finally {
        await own.close()
      }
    })

    test('keeps the webhook secrets with which earlier deliveries were signed', async () => {
      let delivered = 0
      for (const webhook of kept.observed.webhooks) {
        assert.deepEqual(await secretsOf(upgraded, webhook), webhook.secrets, webhook.path)
        for (const { headers, body } of webhook.deliveries) {
          const signed = webhook.secrets.map((secret) => isSignedBy(secret, { headers, body: Buffer.from(body) }))
          assert.ok(
            signed.some(({ standard, hex }) => standard && hex),
            webhook.path,
          )
          delivered += 1
        }
      }
      assert.ok(delivered > 0)
    })

    test('sends pending deliveries with the old ids, bytes and signatures', async () => {
      const waiting = rowsOf(kept, 'webhook_notifications').filter(
        (row) => row.get('delivery_status') === 'pending' && isActive(kept, row.get('webhook_id')),
      )
      assert.ok(waiting.some((row) => row.get('attempts') !== '0'))
      await goOn(upgraded)
      const sent = Map.groupBy(upgraded.sent, ({ headers }) => headers?.['webhook-id'])
      for (const row of waiting) {
        const [request, ...again] = sent.get(row.get('id') ?? '') ?? []
        assert.ok(request, `${row.get('id')} was not delivered`)
        assert.equal(again.length, 0, 'it is delivered once')
        const body = Buffer.from(request.body ?? '')
        const bytes = row.get('body') ?? null
        if (bytes !== null) assert.equal(`\\x${body.toString('hex')}`, bytes)
        const webhook = kept.observed.webhooks.find(({ id }) => id === row.get('webhook_id'))
        const secret = webhook?.secrets.at(-1)
        assert.ok(secret, 'its webhook was seen')
        const signed = isSignedBy(secret, { headers: request.headers ?? {}, body })
        assert.deepEqual(signed, { standard: true, hex: true })
      }
    })

    test('numbers the events that had no number yet', async () => {
      const { rows: found } = await upgraded.api.service.pool.query<{ gaps: number; without: number }>({
        text: `select (select count(*) from (select max(sequence) - count(sequence) as gap from events group by account_id) g
                        where gap <> 0)::int as gaps,
                      (select count(*) from events where sequence is null)::int as without`,
      })
      assert.ok((kept.contents['events without a number'] ?? 0) > 0)
      assert.deepEqual(found, [{ gaps: 0, without: 0 }])
    })
  })

test('every intended difference occurs in a stored installation', inFull, () => {
  assert.deepEqual(
    intendedDifferences.filter((each) => !met.has(each)),
    [],
  )
})

/**
 * Raw events are sorted by the database, with its time zones. Some installation was stored with zones that have winter
 * time for Vancouver in November 2026; newer ones have summer time, and sort local times there differently.
 */
async function hasNewerZones({ api }: Upgraded): Promise<boolean> {
  const { rows } = await api.service.pool.query<{ hour: number }>({
    text: `select extract(hour from '2026-11-26T12:00Z'::timestamptz at time zone 'America/Vancouver')::integer as hour`,
  })
  return rows[0]?.hour === 5
}

function isOfOrder({ what, was, now }: Difference): boolean {
  if (what !== 'wire resources' || !Array.isArray(was) || !Array.isArray(now)) return false
  return JSON.stringify(was.toSorted()) === JSON.stringify(now.toSorted())
}

function isActive(kept: Kept, id: string | null | undefined): boolean {
  return rowsOf(kept, 'webhooks').some((row) => row.get('id') === id && row.get('is_active') === 'true')
}

/** The account and key that every test service makes for itself are not part of the installation. */
function withoutTester(dump: Dump, { api }: Upgraded): Dump {
  const own = api.context.account.id
  return {
    ...dump,
    tables: dump.tables.map((table) => {
      const column = table.columns.indexOf(table.name === 'accounts' ? 'id' : 'account_id')
      return { ...table, rows: table.rows.filter((row) => row[column] !== own) }
    }),
  }
}
