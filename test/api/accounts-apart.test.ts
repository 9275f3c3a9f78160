// The cross-account matrix: generated from the OpenAPI document, so that it also has every new operation.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readsByPost } from '../support/description.ts'
import { compareAccounts } from '../support/matrix.ts'
import { plants } from '../support/plants.ts'
import { digestOf, openWorld, type World } from '../support/world.ts'
import { inOrder, requestFor } from '../support/world-requests.ts'

let world: World
before(async () => {
  world = await openWorld({ plant: plants.leak })
})
after(() => world.close())

const isPlanted = ({ path }: { readonly path: string }) => path.includes('planted')

test('no operation shows or changes the data of another account', async () => {
  const before = await digestOf(world.api, world.owner)
  const { compared, leaks } = await compareAccounts(world, (operation) => !isPlanted(operation))
  assert.deepEqual(leaks, [])
  assert.ok(compared > 500, `${compared} were compared`)
  assert.equal(await digestOf(world.api, world.owner), before)
})

test('the check of account isolation finds a route that ignores the account', async () => {
  const { leaks } = await compareAccounts(world, isPlanted)
  assert.equal(leaks.length, 1)
  assert.match(leaks[0] ?? '', /^getPlantedLeak, place 0 of the path/)
})

test('a read-only key changes nothing with any operation', async () => {
  const key = await world.api.newKey(world.stranger.context, ['read'])
  const before = await digestOf(world.api, world.stranger)
  const writes = inOrder(world.api.description.operations).filter(
    ({ method, id, isOpen }) => method !== 'GET' && !readsByPost.has(id) && !isOpen,
  )
  for (const operation of writes) {
    const { status } = await world.api.call({ ...requestFor(operation, world.stranger), key })
    assert.equal(status, 403, operation.id)
  }
  assert.equal(await digestOf(world.api, world.stranger), before)
})
