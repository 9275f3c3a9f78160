/**
 * The sandbox answers over HTTP in the dialect of each line, and the profile of that line can read everything in it.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { openDcsaSource } from '../../src/connectors/dcsa/dcsa-source.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { type NumberKind, numberKinds, type PollRequest, type Reading } from '../../src/connectors/source.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { allShippingLines } from '../../src/reference/shipping-lines.ts'

const now = Date.UTC(2026, 8, 20)
const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
const source = openDcsaSource()
let sandbox: Sandbox

before(async () => {
  sandbox = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed: 7,
    now: () => now,
    epoch: Date.UTC(2026, 5, 22),
  })
})
after(async () => {
  egress.close()
  await sandbox.close()
})

async function poll(request: PollRequest): Promise<Reading> {
  const profile = sandboxProfile(request.scac, sandbox.url)
  assert.ok(profile !== null)
  const result = await source.fetch(request, { profile, secrets: {} }, { egress, now: () => now })
  assert.ok(result.kind === 'answered', `${request.scac} ${JSON.stringify(result)}`)
  return source.read(result.snapshot, request, profile)
}

async function numbersOf(scac: string, kind: NumberKind): Promise<readonly string[]> {
  const response = await fetch(`${sandbox.url}/sandbox/numbers?scac=${scac}&kind=${kind}&limit=2`)
  return ((await response.json()) as readonly { readonly number: string }[]).map(({ number }) => number)
}

describe('Every line of the sandbox', () => {
  it('is read without an issue, by each kind of number that it supports', async () => {
    let polls = 0
    for (const { scac, tracksBy } of allShippingLines()) {
      const isAsked = {
        container: tracksBy.container,
        bill_of_lading: tracksBy.billOfLading,
        booking: tracksBy.booking,
      }
      for (const kind of numberKinds.filter((each) => isAsked[each])) {
        for (const number of await numbersOf(scac, kind)) {
          const reading = await poll({ scac, kind, number })
          assert.deepEqual(reading.issues, [], `${scac} ${number}`)
          assert.ok(reading.observations.length > 0, `${scac} ${number}`)
          polls += 1
        }
      }
    }
    assert.ok(polls > 100, `${polls} looks`)
  })

  it('does not find an unknown number', async () => {
    for (const scac of ['MAEU', 'MSCU', 'CMDU', 'EGLV']) {
      const kind = scac === 'EGLV' ? 'container' : 'bill_of_lading'
      assert.equal((await poll({ scac, kind, number: 'LDFU9999990' })).outcome, 'not_found')
    }
  })
})
