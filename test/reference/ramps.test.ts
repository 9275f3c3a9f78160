/** Ramps as railways and lines write them, and the areas that their towns belong to. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolvePlace } from '../../src/reference/places.ts'
import { findOnlyRamp, findRampWritten, rampAreaOf } from '../../src/reference/ramps.ts'
import { findTerminalById } from '../../src/reference/terminals.ts'

function rampAt(unlocode: string, name: string, railway: string | null = null): string | null {
  const terminal = resolvePlace({ unlocode, facilityNames: [name], railway })?.terminal ?? null
  return terminal === null ? null : `${terminal.railCarrierScac} ${terminal.name}`
}

for (const [unlocode, name, ramp] of [
  ['USEWI', 'Logistics Park Chicago', 'BNSF Logistics Park Chicago (LPC)'],
  ['USCHI', 'BNSF LPC', 'BNSF Logistics Park Chicago (LPC)'],
  ['USCHI', 'LPC rail ramp', 'BNSF Logistics Park Chicago (LPC)'],
  ['USJOT', 'UP GLOBAL IV', 'UPRR Global 4'],
  ['USCHI', 'Global 4 Ramp', 'UPRR Global 4'],
  ['USCHI', 'NS Landers', 'NSRR Landers'],
  ['USCHI', 'NS CHICAGO 63RD STREET', 'NSRR 63rd Street'],
  ['USLGB', 'ICTF LONG BEACH', 'UPRR ICTF Long Beach'],
  ['USDEN', 'BNSF Denver', 'BNSF Denver'],
  ['CACAL', 'CPKC Calgary', 'CPRS Calgary'],
  ['USSTL', 'BNSF Saint Louis', 'BNSF St. Louis'],
] as const)
  test(`${name} at ${unlocode} is a ramp`, () => assert.equal(rampAt(unlocode, name), ramp))

for (const [unlocode, name, why] of [
  ['USDEN', 'Denver', 'a town is no ramp'],
  ['USNTS', 'Charleston', 'nor is its area'],
  ['USCHI', 'Chicago', 'nor a town with many'],
  ['USJOT', 'Joliet', 'nor one after which a ramp is called'],
  ['USLAX', 'Landers', 'a ramp of another place is not looked for'],
  ['USCHI', 'Chicago Logistics', 'a name that is but like one is none'],
] as const)
  test(`${name} at ${unlocode} names no ramp: ${why}`, () => assert.equal(rampAt(unlocode, name), null))

test('a ramp name that two railways share at one place is that of the stated railway', () => {
  assert.equal(rampAt('CAMTR', 'Montreal Lachine'), 'CPRS Montreal Lachine')
  assert.equal(rampAt('USCHI', 'Landers', 'BNSF'), null)
  assert.equal(rampAt('USCHI', 'Landers', 'NS'), 'NSRR Landers')
})

test('finds the only ramp of a railway in a town, and none if the railway has two there', () => {
  const only = (unlocode: string, railway: string) => findOnlyRamp({ unlocode, railway })?.name ?? null
  assert.equal(only('USDEN', 'BNSF'), 'Denver')
  assert.equal(only('USMEM', 'CN'), 'Memphis')
  assert.equal(only('USEWI', 'BNSF'), 'Logistics Park Chicago (LPC)')
  assert.equal(only('USCHI', 'BNSF'), null)
  assert.equal(only('USMKC', 'BNSF'), null, 'Edgerton serves Kansas City and lies elsewhere')
  assert.equal(only('USHOU', 'UP'), null)
  assert.equal(only('USDEN', 'NS'), null)
  assert.equal(only('USDEN', 'XXXX'), null)
})

test('an operator names a ramp by its FIRMS code or by its name', () => {
  assert.equal(findRampWritten('h572', null)?.name, 'Logistics Park Chicago (LPC)')
  assert.equal(findRampWritten('Corwith', 'BNSF')?.railCarrierScac, 'BNSF')
  assert.equal(findRampWritten('Denver', null), null, 'two railroads have one')
  assert.equal(findRampWritten('Denver', 'UP')?.firmsCode, 'H099')
  assert.equal(findRampWritten('Nowhere', 'UP'), null)
})

test('a town belongs to the area that its ramps serve, and a ramp that is found can be looked up by id', () => {
  assert.equal(rampAreaOf('USEWI'), 'USCHI')
  assert.equal(rampAreaOf('USJOT'), 'USCHI')
  assert.equal(rampAreaOf('USMEM'), 'USMEM')
  assert.equal(rampAreaOf('HKHKG'), null)
  const { id = '' } = findOnlyRamp({ unlocode: 'USDEN', railway: 'BNSF' }) ?? {}
  assert.equal(findTerminalById(id)?.facilityType, 'rail_terminal')
})
