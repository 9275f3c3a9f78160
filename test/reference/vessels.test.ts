import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTableLines } from '../../src/reference/data-files.ts'
import {
  findVesselById,
  findVesselByImo,
  listedVessels,
  nameShip,
  vesselId,
  withoutRegisterNumber,
} from '../../src/reference/vessels.ts'

test('finds every listed ship by its IMO number and by its id', () => {
  const imos = readTableLines('vessels.tsv.gz').map((line) => line.slice(0, 7))
  assert.equal(imos.length, 2_983)
  for (const imo of imos) {
    const vessel = findVesselByImo(imo)
    assert.equal(vessel?.imo, imo)
    assert.equal(vessel?.id, vesselId(imo))
  }
  assert.equal(findVesselById(vesselId('9000742') ?? '')?.name, 'MSC JENNY II')
})

test('a ship has its present name and its former names', () => {
  assert.deepEqual(findVesselByImo('IMO 8715857'), {
    id: '4384b31f-1a04-58f8-8aa0-c9e03c465f9c',
    imo: '8715857',
    name: 'MSC SARISKA V',
    formerNames: ['MSC SARISKA'],
  })
  assert.deepEqual(findVesselByImo('8201624')?.formerNames, [])
  assert.deepEqual(findVesselByImo('9304734')?.formerNames, ['E.R. CAMILLA'])
})

test('an unlisted ship has an id too, a number with a wrong check digit has none', () => {
  assert.equal(findVesselByImo('9074729'), null)
  assert.match(vesselId('9074729') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(vesselId('IMO9074729'), vesselId('9074729'))
  for (const wrong of ['', '9074728', '0000000', '123', '8715858', 'MSC IRIS', '87158570']) {
    assert.equal(vesselId(wrong), null, wrong)
    assert.equal(findVesselByImo(wrong), null, wrong)
  }
})

test('no listed ship has a register number in its name', () => {
  const numbered = [...listedVessels()].flatMap(({ name, formerNames }) =>
    [name, ...formerNames].filter((each) => withoutRegisterNumber(each) !== each),
  )
  assert.deepEqual(numbered, [])
  assert.equal(findVesselByImo('9314961')?.name, 'MONACO')
  assert.deepEqual(findVesselByImo('9314961')?.formerNames, [])
})

test('removes a register number from a ship name, but not a number that belongs to the name', () => {
  const table = [
    ['0103 MONACO', 'MONACO'],
    ['5021  TRF PARTICI', 'TRF PARTICI'],
    ['WAN HAI 529', 'WAN HAI 529'],
    ['5TH OCEAN', '5TH OCEAN'],
    ['0103', null],
    [' ', null],
  ] as const
  for (const [told, name] of table) assert.equal(withoutRegisterNumber(told), name)
})

test('a ship has the name that the line states, and the listed name beside it if that differs', () => {
  assert.deepEqual(nameShip('8715857', 'NEW NAME'), { name: 'NEW NAME', listedName: 'MSC SARISKA V' })
  assert.deepEqual(nameShip('8715857', 'Msc Sariska V'), { name: 'Msc Sariska V', listedName: null })
  assert.deepEqual(nameShip('8715857', null), { name: 'MSC SARISKA V', listedName: null })
  assert.deepEqual(nameShip('9074729', 'UNLISTED'), { name: 'UNLISTED', listedName: null })
  assert.deepEqual(nameShip(null, null), { name: null, listedName: null })
})
