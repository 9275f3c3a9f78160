/**
 * Writes the reference tables of src/reference/data/ from a folder of raw lists (`--from <folder>`). Only the used
 * columns are kept, contradictions in a raw list are corrected, and a note beside each table names its source.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { findPlaceByName } from '../src/reference/places.ts'
import { findSubdivisionCode } from '../src/reference/subdivisions.ts'
import { withoutRegisterNumber } from '../src/reference/vessels.ts'
import { findMendedZone, readPlaceMends } from './place-mends.ts'
import { mendRamps } from './ramp-mends.ts'
import { sources } from './reference-sources.ts'
import { terminalNames } from './terminal-names.ts'
import { listMetroAreas, rankPorts, readMetroAreas, typedPlaceNames } from './typed-names.ts'
import { layBesideOwn, worldColumns } from './world-terminals.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly (string | undefined)[]

const { values: options } = parseArgs({ options: { from: { type: 'string' } } })
if (options.from === undefined) {
  console.error('Say where the raw lists are: tools/reference-data.ts --from <folder>')
  process.exit(1)
}
const folder = options.from

const firms = readCsv('reference/cbp_firms.csv.gz')
const oceanTerminals = readCsv('reference/terminals.csv')
const railTerminals = mendRamps(readCsv('reference/rail_terminals.csv'))
const mends = readPlaceMends()
const metroAreas = readMetroAreas()
const placeNames = readCsv('reference/place_names.csv')
const worldTerminals = layBesideOwn(oceanTerminals, readCsv('reference/terminals_world.csv'))

write(
  'locations.tsv.gz',
  'unlocode name subdivision kind latitude longitude time_zone coordinate_source coordinate_doubt',
  slimLocations(),
)
write(
  'port-overrides.tsv',
  'unlocode canonical display_name',
  readCsv('reference/port_overrides.csv').map((row) => [row['locode'], row['canonical'], row['display_name']]),
)
write(
  'subdivisions.tsv',
  'country code name',
  readCsv('reference/subdivisions.csv').map((row) => [row['SUCountry'], row['SUCode'], row['SUName']]),
)
write(
  'terminals.tsv',
  'name unlocode firms_code former_firms_code smdg_code street city state zip nickname bic_code latitude longitude grade source',
  [
    ...oceanTerminals.map(slimTerminal),
    ...worldTerminals
      .filter(({ own }) => own.length === 0)
      .map(({ row, unlocode }) => [
        row['name'],
        unlocode,
        '',
        '',
        row['smdg_code'],
        '',
        '',
        '',
        '',
        ...worldColumns(row),
      ]),
  ],
)
write(
  'rail-terminals.tsv',
  'rail_carrier_scac name unlocode metro_unlocode firms_code street city state country zip latitude longitude',
  railTerminals.map((row) =>
    pick(row, 'rail_carrier_scac name city_locode metro_locode firms_code street city state country zip lat lon'),
  ),
)
write('firms.tsv.gz', 'firms_code name type unlocode street city state zip country', slimFirms())
write('vessels.tsv.gz', 'imo name former_names', readCsv('reference/vessels.csv').flatMap(slimVessel))
write(
  'shipping-lines.tsv',
  'scac alternative_scacs access bol booking container name short_name group owner_prefixes bol_prefixes data_gaps website',
  readCsv('reference/shipping_lines.csv').map(slimShippingLine),
)

write('place-names.tsv', 'unlocode name', typedPlaceNames(placeNames, metroAreas))
write('port-ranks.tsv', 'unlocode', rankPorts(readCsv('reference/port_rank.csv'), placeNames))
write('metro-areas.tsv', 'unlocode', listMetroAreas(placeNames, railTerminals, metroAreas))
write(
  'terminal-names.tsv',
  'unlocode terminal name read_of',
  terminalNames({ own: oceanTerminals, listed: worldTerminals, places: placeNames }),
)

function slimLocations(): readonly Line[] {
  const rows = readCsv('reference/locations.csv.gz')
  const country = (row: Row): string => (row['locode'] ?? '').slice(0, 2)
  const zones = new Set(rows.filter((row) => !row['flag']).map((row) => `${country(row)} ${row['time_zone']}`))
  const damaged: Readonly<Record<string, string>> = {
    DKNDB: 'Nordby Havn, Fanø',
    DKVES: 'Vesterø Havn, Læsø',
  }
  return rows.map((row) => {
    const isTrusted = !(row['flag'] && row['coord_src'] === 'U')
    const mend = mends.get(row['locode'] ?? '')
    const zone = row['time_zone'] || (mend?.latitude ? findMendedZone(mend.latitude, mend.longitude ?? '') : '')
    const latitude = mend?.latitude ?? (isTrusted ? row['lat'] : '')
    return [
      row['locode'],
      damaged[row['locode'] ?? ''] ?? row['name'],
      row['subdivision'],
      row['function']?.includes('1') ? 'port' : '',
      latitude,
      mend?.longitude ?? (isTrusted ? row['lon'] : ''),
      zones.has(`${country(row)} ${zone}`) ? zone : '',
      latitude ? (mend === undefined ? row['coord_src'] : 'M') : '',
      mend === undefined ? row['flag'] : '',
    ]
  })
}

function slimTerminal(row: Row): Line {
  const listed = firms.filter((facility) => facility['firms_code'] === row['firms_code'])
  const isActive = listed.some((facility) => facility['status'] !== 'Deactivated')
  const code = listed.length > 0 ? row['firms_code'] : ''
  return [
    ...pick(row, 'name locode'),
    isActive ? code : '',
    isActive ? '' : code,
    ...pick(row, 'smdg_code street city state zip'),
    // When one row of the world's list stands for two rows of ours, neither gets its short name and code.
    ...worldColumns(worldTerminals.find(({ own }) => own.length === 1 && own[0] === row)?.row),
  ]
}

function slimFirms(): readonly Line[] {
  const elsewhere = new Set([...oceanTerminals, ...railTerminals].map((row) => row['firms_code']))
  const types = ['01', '03', '05']
  return firms
    .filter((row) => row['country'] === 'US' && row['status'] !== 'Deactivated')
    .filter((row) => types.includes(row['facility_type_code'] ?? '') && !elsewhere.has(row['firms_code']))
    .filter((row) => findSubdivisionCode('US', row['state'] ?? '') !== null || row['city'] === '')
    .map((row) => {
      const { city: name = '', state = '' } = row
      const isTerritory = ['AS', 'GU', 'MP', 'PR', 'VI'].includes(state)
      const country = isTerritory ? state : 'US'
      const place = name && findPlaceByName({ name, subdivision: isTerritory ? null : state, country })
      return [
        ...pick(row, 'firms_code name facility_type_code'),
        place ? place.unlocode : '',
        ...pick(row, 'street city state zip'),
        country,
      ]
    })
}

/** A ship with only a number as its name is left out, because its real name is unknown. */
function slimVessel(row: Row): readonly Line[] {
  const name = withoutRegisterNumber(row['name'] ?? '')
  if (name === null) return []
  const former = (row['former_names'] ?? '').split('|').flatMap((each) => withoutRegisterNumber(each) ?? [])
  return [[row['imo'], name, [...new Set(former)].filter((each) => each !== name).join('|')]]
}

function slimShippingLine(row: Row): Line {
  const prefixes = (row['bol_prefixes'] ?? '').split(' ')
  const gaps: Readonly<Record<string, string>> = {
    'no weight': 'no-weight',
    'no seal': 'no-seal',
    'no container type': 'no-container-type',
    'dates only': 'dates-only',
    'no dep/arr events': 'no-departures-arrivals',
    'dep/arr not always': 'departures-arrivals-not-always',
    'weight = B/L average': 'average-weight',
    'dry only': 'dry-only',
    'dry/reefer only': 'dry/reefer-only',
    'dry/reefer/flatpack only': 'dry/reefer/flatpack-only',
  }
  const dataGaps = (row['data_gaps'] ?? '').split('; ').filter((gap) => gap !== '')
  const unknown = dataGaps.find((gap) => gaps[gap] === undefined)
  if (unknown !== undefined) throw new Error(`no word for the data gap "${unknown}" of ${row['scac']}`)
  return [
    ...pick(row, 'scac alternative_scacs access bol booking container name short_name group bic_prefixes_bic2020'),
    prefixes.sort((a, b) => Number(b === row['scac']) - Number(a === row['scac'])).join(' '),
    dataGaps.map((gap) => gaps[gap]).join(' '),
    tidyWebsite(row['website'] ?? ''),
  ]
}

function tidyWebsite(raw: string): string {
  const text = raw.trim()
  const address = /^https?:/.test(text) || text === '' ? text : `https://${text}`
  return /^https?:\/\/[a-z0-9.-]+\.[a-z]{2,}(\/|$)/i.test(address) ? address : ''
}

function pick(row: Row, columns: string): Line {
  return columns.split(' ').map((column) => {
    const cell = row[column]
    if (cell === undefined) throw new Error(`the raw list has no column ${column}`)
    return cell
  })
}

function write(file: keyof typeof sources, header: string, lines: readonly Line[]): void {
  const clean = lines.map((cells) => cells.map((cell) => (cell ?? '').replace(/\s+/g, ' ').trim()).join('\t'))
  const text = `${[header.replaceAll(' ', '\t'), ...clean].join('\n')}\n`
  const bytes = file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : Buffer.from(text)
  const target = new URL(`../src/reference/data/${file}`, import.meta.url)
  writeFileSync(target, bytes)
  const { from, ...source } = sources[file]
  const raw = from.map((name) => ({ file: name, sha256: sha256(readFileSync(join(folder, name))) }))
  const note = { ...source, sha256: sha256(bytes), rows: lines.length, raw }
  writeFileSync(new URL(`${target.href}.SOURCE.json`), `${JSON.stringify(note, null, 2)}\n`)
  console.log(`${file}: ${lines.length} rows, ${bytes.length} bytes`)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function readCsv(file: string): readonly Row[] {
  const bytes = readFileSync(join(folder, file))
  const [header = [], ...rows] = parseCsv((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
  return rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])))
}

/** RFC 4180: quoted cells may contain commas, line ends and doubled quotes. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',' && end !== '') rows.push([])
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '')
}
