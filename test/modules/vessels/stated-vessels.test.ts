/**
 * Ships that are in no list, with the name that a line gave to an account: shown and found by that name, and only by
 * this account.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { vesselId } from '../../../src/reference/vessels.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { firstShip, seedRoute, told } from '../../support/route-seed.ts'

/** These ships are in none of our lists; their check digits are right. */
const feeder = '9074729'
const mother = '9999993'

let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: '2026-01-20T00:00:00Z', hasReference: true })
  carrier = await openCarrier()
  await seedRoute(api, {
    bill: 'CNSH12345680',
    carrier,
    journey: [
      told('LOAD', 'CNNGB', '2026-01-03T02:00:00Z', 'A', feeder),
      told('DEPA', 'CNNGB', '2026-01-03T12:00:00Z', 'A', feeder),
      told('ARRI', 'CNSHG', '2026-01-04T12:00:00Z', 'B', feeder),
      told('DISC', 'CNSHG', '2026-01-05T12:00:00Z', 'B', feeder),
      // It has not sailed yet.
      told('LOAD', 'CNSHG', '2026-01-22T12:00:00Z', 'B', mother),
      told('DEPA', 'CNSHG', '2026-01-23T12:00:00Z', 'B', mother),
      told('ARRI', 'USLAX', '2026-02-06T12:00:00Z', 'C', mother),
    ],
  })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const find = async (q: string, key = api.key) =>
  (await api.call({ url: `/v2/vessels?q=${encodeURIComponent(q)}`, key })).many()

test('finds a ship by IMO number and by the name that a line stated', async () => {
  for (const imo of [feeder, mother]) {
    const one = (await api.call({ url: `/v2/vessels/${imo}` })).one()
    assert.deepEqual([one.id, one.attributes['name']], [vesselId(imo), `Ship ${imo}`])
    for (const q of [imo, `Ship ${imo}`, `m/v ship${imo}`]) {
      const found = await find(q)
      assert.deepEqual(
        found.map(({ id }) => id),
        [one.id],
        q,
      )
    }
  }
  assert.equal((await find('ship 9')).length, 2)
})

test('does not list a ship twice if lines use another name for it', async () => {
  assert.equal((await find(firstShip)).length, 1)
})

test('another account does not see the ships that lines named to this one', async () => {
  const key = await api.newKey(await api.newAccount(), ['read'])
  for (const imo of [feeder, mother]) {
    assert.equal((await api.call({ url: `/v2/vessels/${imo}`, key })).status, 404)
    assert.deepEqual(await find(imo, key), [])
    assert.deepEqual(await find(`Ship ${imo}`, key), [])
  }
})
