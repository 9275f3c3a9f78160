/** The operator compares what is served with the ledger, and repairs it. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BusyMonths, liveBusyMonths } from '../support/busy-months.ts'
import { openCommandLine } from '../support/command-line.ts'

let months: BusyMonths
const { call } = openCommandLine(() => ({ DATABASE_URL: months.world.databaseUrl }))

before(async () => {
  months = await liveBusyMonths({ journeys: 2, seed: 3 })
})
after(() => months.close())

test('history check finds no difference in an installation that nobody touched', async () => {
  const { code, out, err } = await call('history check')
  assert.equal(code, 0, out + err)
  assert.match(
    out,
    /^\d+ entries folded \(\d+ answers read, 0 as another reader read them\), \d+ rows compared in .+ s\.$/m,
  )
  assert.match(out, /^Identical\.$/m)
})

test('history check names a row that was changed by hand and leaves it, and history rebuild repairs it', async () => {
  const { rows } = await months.world.service.pool.query<{ id: string }>(
    `update containers set status = 'new' where id = (select id from containers where status <> 'new' order by id limit 1) returning id`,
  )
  const changed = new RegExp(`^  containers ${rows[0]?.id} is different: .*status`, 'm')
  const checked = await call('history check')
  assert.equal(checked.code, 1)
  assert.match(checked.out, changed)
  assert.match(checked.out, /^NOT identical\.$/m)
  const { differences, isRepaired } = JSON.parse((await call('history check --json')).out)
  const tables = differences.map(({ table }: { readonly table: string }) => table)
  // A trigger keeps the statuses of its containers at the shipment.
  assert.deepEqual([tables, isRepaired], [['shipments', 'containers'], false])
  const rebuilt = await call('history rebuild')
  assert.equal(rebuilt.code, 0, rebuilt.err)
  assert.match(rebuilt.out, /^Repaired\.$/m)
  assert.equal((await call('history check')).code, 0)
})

test('history reread tells how many stored answers are read differently', async () => {
  const { code, out, err } = await call('history reread')
  assert.equal(code, 0, out + err)
  assert.match(out, /^\d+ answers of \d+ requests were read again\. 0 are read differently now$/m)
})

test('without an installation the command says how to start one', async () => {
  const { call: alone } = openCommandLine(() => ({ LANDFALL_DATA: '/nonexistent/landfall' }))
  const { code, err } = await alone('history check')
  assert.equal(code, 1)
  assert.match(err, /There is no installation in \/nonexistent\/landfall/)
})
