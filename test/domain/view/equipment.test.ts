import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseEquipment } from '../../../src/domain/view/equipment.ts'

const decoded: readonly (readonly [code: string, what: string, why: string])[] = [
  ['22G1', 'dry 20 standard', 'the plain box'],
  ['22GP', 'dry 20 standard', 'its group form, which DCSA samples use'],
  ['42G1', 'dry 40 standard', ''],
  ['45G1', 'dry 40 high_cube', 'the first digit is the length: 45G1 is a 40-foot box'],
  ['45GP', 'dry 40 high_cube', 'so is 45GP'],
  ['L5G1', 'dry 45 high_cube', 'L is 45 feet'],
  ['12G1', 'dry 10 standard', ''],
  ['20G0', 'dry 20 standard', '8 feet high'],
  ['2CG1', 'dry 20 standard', 'pallet-wide, 8 feet 6'],
  ['LEG1', 'dry 45 high_cube', 'pallet-wide, 9 feet 6'],
  ['22V0', 'dry 20 standard', 'general purpose with ventilation'],
  ['45R1', 'reefer 40 high_cube', 'the usual reefer'],
  ['42R1', 'reefer 40 standard', ''],
  ['22RT', 'reefer 20 standard', ''],
  ['22H0', 'reefer 20 standard', 'refrigerated by removable equipment'],
  ['22U1', 'open top 20 standard', ''],
  ['45UT', 'open top 40 high_cube', ''],
  ['42P1', 'flat rack 40 standard', 'fixed ends'],
  ['45P3', 'flat rack 40 high_cube', 'folding ends'],
  ['22PC', 'flat rack 20 standard', ''],
  ['22B0', 'bulk 20 standard', ''],
  ['22BK', 'bulk 20 standard', 'dry bulk under pressure'],
  ['22T6', 'tank 20 standard', ''],
  ['22TN', 'tank 20 standard', ''],
  ['2200', 'dry 20 standard', '1984: four digits'],
  ['2210', 'dry 20 standard', '1984: with vents'],
  ['4310', 'dry 40 standard', '1984: odd height means a gooseneck tunnel'],
  ['4510', 'dry 40 high_cube', '1984'],
  ['9510', 'dry 45 high_cube', '1984: 9 is 45 feet'],
  ['4532', 'reefer 40 high_cube', '1984'],
  ['2251', 'open top 20 standard', '1984'],
  ['4363', 'flat rack 40 standard', '1984'],
  ['2270', 'tank 20 standard', '1984'],
  ['20DV', 'dry 20 standard', 'a name that lines use'],
  ['40HC', 'dry 40 high_cube', 'a name that lines use'],
  ['40HQ', 'dry 40 high_cube', 'a name that lines use'],
  ['45HC', 'dry 45 high_cube', 'a name: 45 feet, unlike 45G1'],
  ['40RH', 'reefer 40 high_cube', 'a name that lines use'],
  [' 45g1 ', 'dry 40 high_cube', 'blanks and case'],
]

test('decodes a known size-type code to type, length and height', () => {
  for (const [code, what, why] of decoded) {
    const equipment = parseEquipment(code)
    const stated = equipment && `${equipment.type} ${equipment.lengthFeet} ${equipment.height}`
    assert.equal(stated, what, `${code}: ${why}`)
  }
})

const unknown: readonly (readonly [code: string, why: string])[] = [
  ['', 'nothing'],
  ['45G', 'too short'],
  ['45G1X', 'too long'],
  ['32G1', '30 feet has no word on the wire'],
  ['M5G1', '48 feet neither'],
  ['44G1', '9 feet high is neither standard nor high cube'],
  ['28U1', 'half height'],
  ['22S1', 'car carrier: named cargo'],
  ['22P0', 'a platform without ends is no flat rack'],
  ['22H5', 'insulated only'],
  ['22G9', 'not assigned'],
  ['2229', '1984: heated'],
  ['4260', '1984: platform'],
  ['40RF', 'a reefer of unknown height'],
  ['40OT', 'an open top of unknown height'],
  ['DRY ', 'a word'],
]

test('an equipment code with an unknown type, length or height is not decoded', () => {
  for (const [code, why] of unknown) assert.equal(parseEquipment(code), null, `${code}: ${why}`)
})

test('any four characters decode to type, length and height, or to nothing', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Z]{4}$/), (code) => {
      const equipment = parseEquipment(code)
      return equipment === null || Object.values(equipment).every((value) => value !== undefined)
    }),
    { numRuns: 5_000 },
  )
})
