import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTableLines } from '../../src/reference/data-files.ts'
import { findVesselById, findVesselByImo, vesselId } from '../../src/reference/vessels.ts'

test('every listed ship is found by its IMO number and by its id', () => {
  const imos = readTableLines('vessels.tsv.gz').map((line) => line.slice(0, 7))
  assert.equal(imos.length, 2_983)
  for (const imo of imos) {
    const vessel = findVesselByImo(imo)
    assert.equal(vessel?.imo, imo)
    assert.equal(vessel?.id, vesselId(imo))
  }
  assert.equal(findVesselById(vesselId('9000742') ?? '')?.name, 'MSC JENNY II')
})

test('a ship has its present name and those it bore before', () => {
  assert.deepEqual(findVesselByImo('IMO 8715857'), {
    id: '4384b31f-1a04-58f8-8aa0-c9e03c465f9c',
    imo: '8715857',
    name: 'MSC SARISKA V',
    formerNames: ['MSC SARISKA'],
  })
  assert.deepEqual(findVesselByImo('8201624')?.formerNames, [])
  assert.deepEqual(findVesselByImo('9304734')?.formerNames, ['E.R. CAMILLA'])
})

test('a ship that is not listed has an id too, a number with a wrong check digit has none', () => {
  assert.equal(findVesselByImo('9074729'), null)
  assert.match(vesselId('9074729') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(vesselId('IMO9074729'), vesselId('9074729'))
  for (const wrong of ['', '9074728', '0000000', '123', '8715858', 'MSC IRIS', '87158570']) {
    assert.equal(vesselId(wrong), null, wrong)
    assert.equal(findVesselByImo(wrong), null, wrong)
  }
})
