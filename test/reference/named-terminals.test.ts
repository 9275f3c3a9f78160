/** Terminals by what sources write: within the port that they name, and only by names that mean one terminal there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTable } from '../../src/reference/data-files.ts'
import { findUncodedTerminals } from '../../src/reference/import/uncoded-terminals.ts'
import { findTerminalOfSource, terminalNames } from '../../src/reference/named-terminals.ts'
import { findPlaceByCode, resolvePlace } from '../../src/reference/places.ts'
import { allTerminals, findTerminal, findTerminalById } from '../../src/reference/terminals.ts'
import { findTypedTerminals } from '../../src/reference/typed-terminals.ts'

const shengdong = findTerminal({ provider: 'SMDG', code: 'SHENG', unlocode: 'CNSHG' })

test('a spelling of a carrier names the terminal in its port, under any code of the port', () => {
  assert.equal(shengdong?.name, 'Shanghai Shengdong International Container Terminal')
  for (const unlocode of ['CNSHG', 'CNSHA', 'CNSGH'])
    for (const name of [
      'YANGSHAN DEEP WATER PORT PHASE1 TER',
      'Yangshan deep-water port Phase1 Ter.',
      'sheng',
    ])
      assert.equal(findTerminalOfSource({ unlocode, name })?.id, shengdong.id, `${unlocode} ${name}`)
  const resolved = resolvePlace({
    unlocode: 'CNSHA',
    facilityNames: [null, 'Shanghai', 'YANGSHAN DEEP WATER PORT PHASE1 TER'],
  })
  assert.deepEqual([resolved?.place.unlocode, resolved?.terminal?.id], ['CNSHG', shengdong.id])
})

test('no name of a terminal names it without its port, or in another one', () => {
  for (const name of ['YANGSHAN DEEP WATER PORT PHASE1 TER', 'SHENG', 'Yangshan Phase 1']) {
    assert.equal(resolvePlace({ facilityNames: [name] }), null, name)
    assert.equal(resolvePlace({ name, facilityNames: [name] }), null, name)
    const ningbo = resolvePlace({ unlocode: 'CNNGB', facilityNames: [name] })
    assert.deepEqual([ningbo?.place.unlocode, ningbo?.terminal], ['CNNGB', null], name)
  }
})

test('a code that names a terminal beats a name that names another', () => {
  const resolved = resolvePlace({
    unlocode: 'CNSHG',
    facilityCode: 'SHENG',
    facilityCodeListProvider: 'SMDG',
    facilityNames: ['Yangshan Phase 4'],
  })
  assert.equal(resolved?.terminal?.id, shengdong?.id)
})

test('who writes the name of a port or of a place near it has named no terminal', () => {
  for (const [unlocode, name] of [
    ['CNSHG', 'Shanghai'],
    ['CNSHG', 'Waigaoqiao'],
    ['OMSLL', 'Salalah'],
    ['OMSLL', 'Port of Salalah'],
    ['EGPSE', 'Port Said East'],
    ['VNDAD', 'Danang Port'],
    ['MYKUA', 'Kuantan Port'],
    ['PABLB', 'Balboa'],
  ] as const)
    assert.equal(resolvePlace({ unlocode, facilityNames: [name] })?.terminal, null, `${unlocode} ${name}`)
})

test('a name from memory and a short one are for people: no source is read by them', () => {
  for (const [unlocode, name] of [
    // M in the table.
    ['CNSHG', 'Waigaoqiao Phase 4'],
    ['AEJEA', 'T2'],
    ['KRPUS', 'PNIT'],
  ] as const) {
    assert.equal(findTerminalOfSource({ unlocode, name }), null, name)
    const terminal = terminalNames().find((each) => each.name === name)?.terminal
    assert.ok(terminal && findTypedTerminals(name).has(terminal.id), name)
  }
})

test('every name that sources are read by leads to one terminal of the port, which is there', () => {
  const rows = terminalNames().filter(({ isReadOfSources }) => isReadOfSources)
  assert.ok(rows.length > 800)
  for (const { terminal, name } of rows) {
    const unlocode = terminal.unlocode ?? ''
    assert.equal(findTerminalOfSource({ unlocode, name })?.id, terminal.id, `${unlocode} ${name}`)
    assert.equal(findPlaceByCode(unlocode)?.unlocode, unlocode)
  }
})

test('two terminals of one name are kept apart by their codes', () => {
  const second = findTerminal({ provider: 'SMDG', code: 'DPWJ2', unlocode: 'AEJEA' })
  const third = findTerminal({ provider: 'SMDG', code: 'DPWJ3', unlocode: 'AEJEA' })
  assert.deepEqual([second?.name, second?.nickname, third?.nickname], ['DP World Jebel Ali', 'T2', 'T3'])
  assert.equal(findTerminalOfSource({ unlocode: 'AEJEA', name: 'Jebel Ali T2' })?.id, second?.id)
  assert.equal(findTerminalOfSource({ unlocode: 'AEJEA', name: 'DP World Jebel Ali' }), null)
})

test('a list means a terminal of ours by its names, or by the words that distinguish it from others, one to one', () => {
  const found = (unlocode: string, ...names: readonly string[]) => {
    const rows = names.map((name, at) => {
      const key = `${unlocode}:Q${at}`
      return { key, values: { unlocode, name, smdgCode: `Q${at}` } }
    })
    const keys = new Map(
      [...findUncodedTerminals(rows)].map(([id, key]) => [key, findTerminalById(id)?.name]),
    )
    return rows.map(({ key }) => keys.get(key) ?? null)
  }
  assert.deepEqual(found('CNSHG', 'SHANGHAI EAST CONTAINER TERMINAL', 'HUDONG'), [null, null], 'two for one')
  assert.deepEqual(found('CNSHG', 'Shanghai East Container Terminal', 'CONTAINER TERMINAL (EAST)'), [
    'Shanghai East Container Terminal',
    null,
  ])
  assert.deepEqual(found('NLRTM', 'APM TERMINALS ROTTERDAM MAASVLAKTE 2', 'CONTAINER TERMINAL ROTTERDAM'), [
    'APM Terminals Maasvlakte II',
    null,
  ])
  assert.deepEqual(found('BEANR', 'PSA EUROPA TERMINAL (K869)', 'PSA TERMINAL'), [
    'PSA Europa Terminal',
    null,
  ])
  assert.deepEqual(found('AEJEA', 'DP WORLD JEBEL ALI'), [null], 'two of ours bear the name')
  assert.deepEqual(found('IQUQR', 'BASRA GATEWAY TERMINAL'), [null], 'it has two parts with us')
})

test('every name of the table is of a terminal of its port', () => {
  const ports = new Set(allTerminals().map(({ unlocode }) => unlocode))
  readTable('terminal-names.tsv', (cells) => assert.ok(ports.has(cells(0)), cells(0) ?? ''))
})
