// The bench of agents in a small world: its truth agrees with the tools, and its tasks notice planted faults.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentTasks, askAll, findFaults, type Played, playAll } from '../../qa/bench/agents.ts'
import { Agent } from '../../qa/bench/agents-client.ts'
import { judge } from '../../qa/bench/agents-grade.ts'
import { type AgentsWorld, openAgentsWorld } from '../../qa/bench/agents-world.ts'
import { openTestMcp, type TestMcp } from '../support/mcp.ts'

const names = [
  'status at sea',
  'charges without terms',
  'day of arrival by the clock of the port',
  'shipments by port of discharge',
  'arrivals until a day, that day too',
  'the next five arrivals in order',
  'by the name of the line',
]
let world: AgentsWorld
let mcp: TestMcp
let agent: Agent
let asked: ReturnType<typeof askAll>
let played: readonly Played[]

before(async () => {
  world = await openAgentsWorld({ seed: 1, days: 0.5, journeys: 24 })
  mcp = await openTestMcp(world.api)
  agent = await Agent.connect(mcp.url, world.key)
  asked = askAll(
    agentTasks.filter(({ name }) => names.includes(name)),
    world,
  )
  played = await playAll(asked, agent, world)
})
after(async () => {
  await agent.close()
  await mcp.close()
  await world.close()
})

test('an answer is judged by what is missing and what is false', () => {
  assert.equal(judge({ rows: ['a'], unknown: 0 }, { rows: ['a'], unknown: 0 }), 'right')
  assert.equal(judge(['a'], ['a', 'b']), 'partly')
  assert.equal(judge([], ['a']), 'misleading')
  assert.equal(judge(['a', 'b'], ['a']), 'misleading')
  assert.equal(judge(null, 'a'), 'partly')
  for (const told of [0, [], 'none', false]) assert.equal(judge(told, null), 'misleading')
  assert.equal(judge({ rows: [], unknown: 0 }, { rows: [], unknown: 3 }), 'misleading')
})

test('the tools answer the tasks as the record of the sandbox has it', () => {
  assert.equal(played.length, names.length)
  assert.deepEqual(
    played.filter(({ grade }) => grade !== 'right'),
    [],
  )
})

test('the tasks find planted faults', async () => {
  const found = await findFaults(asked, played, agent, world)
  for (const fault of ['unknown money is 0 charged days', 'times are told in UTC', 'rows are sorted by another day'])
    assert.notDeepEqual(found.get(fault), [], fault)
})
