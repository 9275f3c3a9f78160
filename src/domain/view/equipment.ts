/**
 * The meaning of an ISO 6346 size-type code: type, length and height, all three or nothing. Reads the codes of 1995 and
 * later (`45G1`, group form `45GP`), the four digits of 1984 (`4510`), and the names that lines use instead (`40HC`).
 */

import type { Equipment } from './projection.ts'

/** Null when the code is unknown or the API has no code for one of the three (30 ft, 9 ft high, platforms …). */
export function parseEquipment(sizeType: string): Equipment | null {
  const code = sizeType.trim().toUpperCase()
  if (code.length !== 4) return null
  const alias = aliases.get(code)
  if (alias !== undefined) return alias
  return /^\d{4}$/.test(code) ? parse1984(code) : parse1995(code)
}

/** ISO 6346:1995, annexes D and E: length, height and width, type as group (`GP`) or in detail (`G1`). */
function parse1995(code: string): Equipment | null {
  const lengthFeet = lengths1995.get(code.charAt(0))
  const height = heights1995.get(code.charAt(1))
  const type = types1995.get(code.slice(2))
  if (lengthFeet === undefined || height === undefined || type === undefined) return null
  return { type, lengthFeet, height }
}

/** ISO 6346:1984: digits only; an odd second digit means a gooseneck tunnel. */
function parse1984(code: string): Equipment | null {
  const lengthFeet = lengths1984.get(code.charAt(0))
  const height = heights1984.get(code.charAt(1))
  const type = types1984.find(([from, to]) => from <= code.slice(2) && code.slice(2) <= to)?.[2]
  if (lengthFeet === undefined || height === undefined || type === undefined) return null
  return { type, lengthFeet, height }
}

type Length = Equipment['lengthFeet']
type Height = Equipment['height']
type Type = Equipment['type']

const lengths1995 = new Map<string, Length>([
  ['1', 10],
  ['2', 20],
  ['4', 40],
  ['L', 45],
])
/**
 * 0: 8 ft; 2: 8 ft 6; 5: 9 ft 6; the letters are the same heights on pallet-wide containers. The API has no code for 9
 * ft (4, D, M).
 */
const heights1995 = new Map<string, Height>([
  ['0', 'standard'],
  ['2', 'standard'],
  ['C', 'standard'],
  ['L', 'standard'],
  ['5', 'high_cube'],
  ['E', 'high_cube'],
  ['N', 'high_cube'],
])

/**
 * Left out on purpose: named cargo (S: cattle, cars), insulated (HI), platforms without ends (P0, PL) and air (A): the
 * API has no code for them.
 */
const types1995: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...detailedTypes('dry', 'GP', 'G', '0123'),
  ...detailedTypes('dry', 'VH', 'V', '024'),
  ...detailedTypes('bulk', 'BU', 'B', '01'),
  ...detailedTypes('bulk', 'BK', 'B', '3456'),
  ...detailedTypes('reefer', 'RE', 'R', '0'),
  ...detailedTypes('reefer', 'RT', 'R', '1'),
  ...detailedTypes('reefer', 'RS', 'R', '23'),
  ...detailedTypes('reefer', 'HR', 'H', '012'),
  ...detailedTypes('open top', 'UT', 'U', '0123456'),
  ...detailedTypes('flat rack', 'PF', 'P', '12'),
  ...detailedTypes('flat rack', 'PC', 'P', '34'),
  ...detailedTypes('flat rack', 'PS', 'P', '5'),
  ...detailedTypes('tank', 'TN', 'T', '012'),
  ...detailedTypes('tank', 'TD', 'T', '3456'),
  ...detailedTypes('tank', 'TG', 'T', '789'),
])

function detailedTypes(type: Type, group: string, letter: string, details: string): [string, Type][] {
  return [[group, type], ...[...details].map((detail): [string, Type] => [letter + detail, type])]
}

const lengths1984 = new Map<string, Length>([
  ['1', 10],
  ['2', 20],
  ['4', 40],
  ['9', 45],
])
/** 4 and 5 are `higher than 8 ft 6`, in practice 9 ft 6. 6 to 9 are half-height and lower. */
const heights1984 = new Map<string, Height>([
  ['0', 'standard'],
  ['1', 'standard'],
  ['2', 'standard'],
  ['3', 'standard'],
  ['4', 'high_cube'],
  ['5', 'high_cube'],
])
/** From, to (inclusive). Insulated and heated containers (20–29), platforms (60) and 80–99 have no certain type. */
const types1984: readonly (readonly [string, string, Type])[] = [
  ['00', '19', 'dry'],
  ['30', '49', 'reefer'],
  ['50', '59', 'open top'],
  ['61', '67', 'flat rack'],
  ['70', '79', 'tank'],
]

/**
 * Names that many lines use and that are unambiguous. `40RF`, `40OT` and `40FR` are not here: they come in both
 * heights.
 */
const aliases: ReadonlyMap<string, Equipment> = new Map([
  ...namedEquipment('dry', 20, 'standard', '20GP 20DC 20DV 20ST 20SD'),
  ...namedEquipment('dry', 40, 'standard', '40GP 40DC 40DV 40ST 40SD'),
  ...namedEquipment('dry', 40, 'high_cube', '40HC 40HQ'),
  ...namedEquipment('dry', 45, 'high_cube', '45HC 45HQ'),
  ...namedEquipment('reefer', 40, 'high_cube', '40RH'),
])

function namedEquipment(type: Type, lengthFeet: Length, height: Height, names: string): [string, Equipment][] {
  return names.split(' ').map((name) => [name, { type, lengthFeet, height }])
}
