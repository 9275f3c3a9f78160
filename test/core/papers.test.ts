// A paper counts where everybody else is silent: it adds no call, no box, and takes no hold away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legVerdict } from '../../src/core/explaining/explain-container.ts'
import { readWay } from '../../src/core/journey/named-places.ts'
import { assignRoles } from '../../src/core/journey/roles.ts'
import type { FactClaim } from '../../src/core/journey/trip.ts'
import { settleHolds } from '../../src/core/shipment/holds-and-fees.ts'
import { readClaims } from '../../src/core/shipment/reading.ts'
import { claimsOf, onlyBox, projectText } from '../support/told-in-text.ts'

const sailed = 'ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU vessel=9321483/"First Leg" voyage=1'
const expected = 'EST ARRI - USLAX 2026-01-24T02:00Z carrier:HLCU vessel=9321483/"First Leg" voyage=1'

test('an arrival that a paper foretells weeks away is the same call, and loses against the word of the line', () => {
  const paper = 'EST ARRI - USLAX 2026-02-20 document:d1 vessel=-/"First Leg" stated=2026-01-20T00:00Z'
  const box = onlyBox(projectText(`${sailed}\n${expected}\n${paper}`))
  assert.deepEqual(box.portOfDischarge.eta, { kind: 'instant', at: '2026-01-24T02:00:00.000Z' })
  const { byBox } = readClaims(claimsOf(`${sailed}\n${expected}\n${paper}`), '2026-02-01T00:00:00.000Z')
  const [said] = [...byBox.values()]
  assert.ok(said !== undefined)
  const { journey, named } = readWay(said)
  assert.equal(journey.calls.length, 2)
  const verdict = legVerdict({ journey, roles: assignRoles(journey, named, () => null) }, 'pod', 'eta')
  assert.deepEqual(
    verdict.losers.map(({ claim, why }) => [claim.source.kind, why]),
    [['document', 'what a source itself foretells counts for more than a paper']],
  )
})

test("a plan of the line counts for more than a paper's estimate", () => {
  const plan = expected.replace('EST', 'PLN')
  const paper = 'EST ARRI - USLAX 2026-01-26 document:d1 stated=2026-01-20T00:00Z'
  const box = onlyBox(projectText(`${sailed}\n${plan}\n${paper}`))
  assert.deepEqual(box.portOfDischarge.eta, { kind: 'instant', at: '2026-01-24T02:00:00.000Z' })
})

test('a ship that has come is not expected once more because a paper says so', () => {
  const come =
    'ACT ARRI - USLAX 2026-01-24T02:00Z carrier:HLCU\nACT DISC LADEN USLAX 2026-01-24T09:00Z carrier:HLCU'
  const paper = 'EST ARRI - USLAX 2026-02-10 document:d1 stated=2026-01-20T00:00Z'
  const box = onlyBox(projectText(`${sailed}\n${come}\n${paper}`))
  assert.deepEqual(box.portOfDischarge.ata, { kind: 'instant', at: '2026-01-24T02:00:00.000Z' })
  assert.deepEqual(
    box.milestones.filter(({ name }) => name === 'vessel_arrived').map(({ kind }) => kind),
    ['actual'],
  )
  assert.equal(box.status, 'grounded')
})

test('an arrival at a port that the line does not name is left out, and an issue says so', () => {
  const paper = 'EST ARRI - USOAK 2026-01-26 document:d1'
  const shipment = projectText(`${sailed}\n${expected}\n${paper}`)
  assert.equal(onlyBox(shipment).portOfDischarge.place?.unlocode, 'USLAX')
  assert.deepEqual(
    shipment.issues.map(({ kind, detail }) => `${kind}: ${detail}`),
    ['overtaken_prediction: ARRI at USOAK is foretold by a paper, and the sources name USLAX'],
  )
})

test('where the sources say nothing of an arrival, the paper is believed', () => {
  const box = onlyBox(projectText(`${sailed}\nEST ARRI - USOAK 2026-01-26 document:d1 vessel=-/"First Leg"`))
  assert.equal(box.portOfDischarge.place?.unlocode, 'USOAK')
  assert.deepEqual(box.podVessel, { imo: null, name: 'First Leg' })
})

test('a hold that only a paper names is in force, until a source or a person speaks of it', () => {
  const standing = (text: string) =>
    settleHolds(claimsOf(text) as readonly FactClaim[]).standing.map(
      ({ name, status }) => `${name}:${status}`,
    )
  const paper = 'FACT hold freight:hold document:d1 stated=2026-01-28T00:00Z'
  assert.deepEqual(standing(paper), ['freight:hold'])
  assert.deepEqual(standing(`${paper}\nFACT hold freight:released user:u1 stated=2026-01-20T00:00Z`), [])
  assert.deepEqual(
    standing(`${paper}\nFACT hold freight:released terminal:Y258 stated=2026-01-20T00:00Z`),
    [],
  )
  const held = 'FACT hold customs:hold terminal:Y258 stated=2026-01-20T00:00Z'
  const released = 'FACT hold customs:released document:d1 stated=2026-01-28T00:00Z'
  assert.deepEqual(standing(`${held}\n${released}`), ['customs:hold'])
})

test('what a person stated counts for more than a paper, whichever came later', () => {
  const stated = 'FACT weight_kg 9000 user:u1 stated=2026-01-20T00:00Z'
  const paper = 'FACT weight_kg 18000 document:d1 stated=2026-01-28T00:00Z'
  const shipment = projectText(`${sailed}\n${stated}\n${paper}`)
  assert.equal(onlyBox(shipment).weightKg, 9000)
  assert.deepEqual(shipment.issues, [], 'a paper does not contradict a person')
})

test('a paper names the bill of a shipment that has none, and never renames one that was asked for', () => {
  const paper = `${sailed}\nFACT bill_of_lading_number 260100077 document:d1 box=-`
  assert.equal(projectText(paper).billOfLadingNumber, 'HLCU1')
  const request = { kind: 'container', number: 'TCNU1234565' } as const
  assert.equal(projectText(paper, { request }).billOfLadingNumber, '260100077')
})
