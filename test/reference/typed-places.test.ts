/** Two kinds of names: those by which people search, and those by which a source is read. And laws of the tables. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readTableLines } from '../../src/reference/data-files.ts'
import { findPlaceByCode, findPlaceByName, resolvePlace } from '../../src/reference/places.ts'
import { findTypedPlaces, isMetroArea, placeRanks, readTypedPlace } from '../../src/reference/typed-places.ts'
import { findTypedTerminals } from '../../src/reference/typed-terminals.ts'

test('a colloquial place name for searches does not identify a place in messages', () => {
  // By the name alone none of these was read before people could search by it.
  for (const name of [
    'JNPT',
    'Xingang',
    'Yangshan',
    'Pier 400',
    'Anvers',
    'Leghorn',
    'Port Kelang',
    'Elizabeth NJ',
    'portkelang',
    'LOSANGELES',
    'Port of Los Angeles',
    'Chicagoland',
    'SHA',
    '上海',
  ]) {
    assert.equal(findPlaceByName({ name })?.unlocode ?? null, null, name)
    assert.equal(resolvePlace({ name }), null, name)
  }
  // For people the large port comes first. A source that gives only the name has named none of the ports with this
  // name.
  for (const name of ['Manzanillo', 'Rotterdam', 'Cartagena', 'Vancouver', 'Port Elizabeth'])
    assert.equal(resolvePlace({ name }), null, name)
  assert.equal(resolvePlace({ unlocode: 'USPEB', name: 'JNPT' })?.place.unlocode, 'USPEB')
})

test('a place search finds all places with that full name, and none for a part of a name', () => {
  const codesOf = (text: string) => findTypedPlaces(text).map(({ unlocode }) => unlocode)
  for (const [text, code] of [
    ['Genoa', 'ITGOA'],
    ['Pusan', 'KRPUS'],
    ['JNPT', 'INNSA'],
    ['Port of Anvers', 'BEANR'],
    ['Port of Spain', 'TTPOS'],
    ['Hamburg, Germany', 'DEHAM'],
    ['Yangshan', 'CNSHG'],
  ] as const)
    assert.ok(codesOf(text).includes(code), `${text}: ${codesOf(text)}`)
  assert.deepEqual(codesOf('Hamburg, Germany'), ['DEHAM'])
  for (const text of ['Geno', 'Yang', 'Hamburg, Peru', '', ', ,']) assert.deepEqual(codesOf(text), [], text)
})

test('only searches use colloquial names, and no reader of messages does', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url))
  const users = globSync('**/*.ts', { cwd: root })
    .filter((file) => /from '[^']*\/typed-/.test(readFileSync(`${root}${file}`, 'utf8')))
    .filter((file) => !file.startsWith('reference/typed-'))
    .toSorted()
  assert.deepEqual(users, [
    'mcp/lists/filter-values.ts',
    'modules/answers/find-names.ts',
    'modules/ports/get-place.ts',
    'modules/ports/list-places.ts',
    'modules/reference-data/search-reference-sql.ts',
    'modules/terminals/list-terminals.ts',
  ])
})

test('every name, rank and area belongs to an existing place, under its canonical code', () => {
  for (const file of ['place-names.tsv', 'port-ranks.tsv', 'metro-areas.tsv']) {
    for (const line of readTableLines(file)) {
      const [unlocode = ''] = line.split('\t')
      assert.equal(findPlaceByCode(unlocode)?.unlocode, unlocode, `${file}: ${line}`)
    }
  }
  assert.equal(placeRanks('port').get('CNSHG'), 1)
  assert.ok(isMetroArea('USCHI') && !isMetroArea('NLRTM'))
})

test('every full name of the tables finds its place or terminal', () => {
  for (const line of readTableLines('place-names.tsv')) {
    const [unlocode = '', name = ''] = line.split('\t')
    assert.equal(readTypedPlace(name).others.get(unlocode), 1, line)
  }
  // Throws where a name is of no terminal of ours.
  for (const line of readTableLines('terminal-names.tsv')) {
    const [, , name = ''] = line.split('\t')
    assert.ok([...findTypedTerminals(name).values()].includes(1), line)
  }
})

test('a state or country after the name limits the search, in any form that the lists contain', () => {
  const cases: readonly (readonly [typed: string, name: string, areas: readonly string[] | null])[] = [
    ['Elizabeth, NJ', 'Elizabeth', ['US-NJ']],
    ['Elizabeth, New Jersey, USA', 'Elizabeth', ['US-NJ']],
    ['Hamburg, Germany', 'Hamburg', ['DE']],
    ['Hamburg', 'Hamburg', null],
    // Texts that are no such thing are part of the name.
    ['Hamburg, Somewhere', 'Hamburg, Somewhere', null],
    [', ,', ', ,', null],
    ['', '', null],
  ]
  for (const [typed, name, areas] of cases) {
    const read = readTypedPlace(typed)
    assert.equal(read.name, name, typed)
    if (areas === null) assert.equal(read.areas, null, typed)
    for (const area of areas ?? []) assert.ok(read.areas?.includes(area), `${typed}: ${read.areas}`)
  }
  const georgia = readTypedPlace('Savannah, GA')
  assert.ok(georgia.areas?.includes('US-GA') && georgia.areas.includes('GA'))
})
