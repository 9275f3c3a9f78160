/** The checks of stored installations can fail: each of these faults is planted in an upgraded one, and found. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { compareAnswers, isSame } from './compare-answers.ts'
import { compareRows } from './compare-rows.ts'
import { refuseUnintended } from './differences.ts'
import { type Kept, listKept, parseKept, readBytes, readLightKept } from './kept.ts'
import { upgradedOf } from './restore.ts'
import { dumpRows } from './rows.ts'
import { askAgain, foldAgain, openSealedAgain, openUpgraded, type Upgraded } from './upgraded.ts'

let kept: Kept
let database: TestDatabase

before(async () => {
  const name = listKept().at(-1) ?? ''
  kept = readLightKept(name)
  database = await openTestDatabase({ filling: upgradedOf(name) })
})
after(() => database?.close())

/** What `look` finds in an installation into whose database the faults were planted. */
async function planted(
  faults: readonly string[],
  look: (upgraded: Upgraded) => Promise<readonly { what: string }[]>,
): Promise<readonly string[]> {
  const upgraded = await openUpgraded(kept, database.url)
  try {
    const statements = ['set session_replication_role = replica', ...faults, 'reset session_replication_role']
    await upgraded.api.service.pool.query(statements.join('; '))
    return [...new Set((await look(upgraded)).map(({ what }) => what))]
  } finally {
    await upgraded.close()
  }
}

const oneEvent = `(select id from events where sequence = 20 order by account_id limit 1)`
const lost = `delete from events where id = ${oneEvent}`
const flipped = `update kept_snapshots set body = overlay(body placing '\\x21'::bytea from 40)
                  where id = (select min(id::text)::uuid from kept_snapshots where body is not null)`
const otherwise = `update shipments set ref_numbers = '{another}' where ref_numbers <> '{}'`
const renumbered = `update events set sequence = sequence + 1000000 where sequence = 30`

test('comparing rows after an upgrade finds lost or renumbered events and a changed byte of an answer', async () => {
  const found = await planted([lost, renumbered, flipped], async ({ api }) =>
    compareRows(kept, await dumpRows(api.service.pool, { withOldNames: true })),
  )
  for (const what of ['row events', 'row events.sequence', 'row kept_snapshots.body'])
    assert.ok(found.includes(what), what)
})

test('comparing answers finds a lost event and a changed value', async () => {
  const found = await planted([lost, otherwise], (upgraded) => askAgain(upgraded, /^\/v2\/(events|shipments)\?/))
  for (const what of ['wire resources', 'wire shipment.attributes.ref_numbers']) assert.ok(found.includes(what), what)
})

test('folding the ledger again after an upgrade finds a lost event, a changed value and a changed byte', async () => {
  const found = await planted([lost, otherwise, flipped], foldAgain)
  for (const what of ['fold events', 'fold shipments.ref_numbers', 'fold snapshots.body'])
    assert.ok(found.includes(what), what)
})

test('the upgrade checks find a changed secret, and a secret encrypted by another installation', async () => {
  const changed = `update webhook_secrets set secret_sealed = overlay(secret_sealed placing '\\x00'::bytea from 20)`
  const found = await planted([changed], async (upgraded) => [
    ...openSealedAgain(upgraded, await dumpRows(upgraded.api.service.pool, { withOldNames: true })),
    ...(await askAgain(upgraded, /^\/v2\/webhooks/)),
  ])
  for (const what of ['sealed webhook_secrets.secret_sealed', 'wire webhook.attributes.secret'])
    assert.ok(found.includes(what), what)
})

test('reading the file of a stored installation detects a changed byte', () => {
  const bytes = readBytes(listKept().at(-1) ?? '')
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  assert.throws(() => parseKept(bytes))
})

test('comparing API answers accepts listed differences and reports all others', () => {
  const was = {
    type: 'shipment',
    id: '1',
    attributes: { a: '2026-01-06T00:00:00.000Z', b: 1 },
    relationships: {},
  }
  const is = { ...was, attributes: { a: '2026-01-06T00:00:00Z', b: 2, c: 'new' } }
  const differences = compareAnswers('/v2/shipments', [was], [is])
  assert.throws(() => refuseUnintended(differences, []), /wire shipment\.attributes\.b[\s\S]*was 1\n {2}now 2/)
  const intended = [{ what: 'wire shipment.attributes.b', because: 'it counts from one' }]
  assert.deepEqual(refuseUnintended(differences, intended), intended)
})

test('times are equal only if they are the same instant', () => {
  assert.ok(isSame('2026-01-06T00:00:00.000Z', '2026-01-06T00:00:00Z'))
  assert.ok(isSame({ at: '2026-01-06T08:00:00+08:00' }, { at: '2026-01-06T00:00:00Z', more: 1 }))
  for (const other of ['2026-01-06T00:00:01Z', '2026-01-06', null, undefined])
    assert.ok(!isSame('2026-01-06T00:00:00Z', other))
})
