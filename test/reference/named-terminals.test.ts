/** Terminals by the names that sources write: within the stated port, and only by names of one terminal there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTable } from '../../src/reference/data-files.ts'
import { findUncodedTerminals } from '../../src/reference/import/uncoded-terminals.ts'
import { findTerminalOfSource, terminalNames } from '../../src/reference/named-terminals.ts'
import { findPlaceByCode, resolvePlace } from '../../src/reference/places.ts'
import { findByWords } from '../../src/reference/terminal-words.ts'
import { allTerminals, findTerminal, findTerminalById } from '../../src/reference/terminals.ts'
import { findTypedTerminals } from '../../src/reference/typed-terminals.ts'

const shengdong = findTerminal({ provider: 'SMDG', code: 'SHENG', unlocode: 'CNSHG' })

test('a carrier’s spelling names the terminal in its port, under any code of the port', () => {
  assert.equal(shengdong?.name, 'Shanghai Shengdong International Container Terminal')
  for (const unlocode of ['CNSHG', 'CNSHA', 'CNSGH'])
    for (const name of ['YANGSHAN DEEP WATER PORT PHASE1 TER', 'Yangshan deep-water port Phase1 Ter.', 'sheng'])
      assert.equal(findTerminalOfSource({ unlocode, name })?.id, shengdong.id, `${unlocode} ${name}`)
  const resolved = resolvePlace({
    unlocode: 'CNSHA',
    facilityNames: [null, 'Shanghai', 'YANGSHAN DEEP WATER PORT PHASE1 TER'],
  })
  assert.deepEqual([resolved?.place.unlocode, resolved?.terminal?.id], ['CNSHG', shengdong.id])
})

test('no terminal is found by a name without its port, or in another port', () => {
  for (const name of ['YANGSHAN DEEP WATER PORT PHASE1 TER', 'SHENG', 'Yangshan Phase 1']) {
    assert.equal(resolvePlace({ facilityNames: [name] }), null, name)
    assert.equal(resolvePlace({ name, facilityNames: [name] }), null, name)
    const ningbo = resolvePlace({ unlocode: 'CNNGB', facilityNames: [name] })
    assert.deepEqual([ningbo?.place.unlocode, ningbo?.terminal], ['CNNGB', null], name)
  }
})

test('a code of a terminal is preferred to a name of another', () => {
  const resolved = resolvePlace({
    unlocode: 'CNSHG',
    facilityCode: 'SHENG',
    facilityCodeListProvider: 'SMDG',
    facilityNames: ['Yangshan Phase 4'],
  })
  assert.equal(resolved?.terminal?.id, shengdong?.id)
})

test('the name of a port or of a place near it names no terminal', () => {
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

test('people can search by colloquial terminal names, but readers of messages do not use them', () => {
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

test('every name for reading sources leads to one terminal, in its port', () => {
  const rows = terminalNames().filter(({ isReadOfSources }) => isReadOfSources)
  assert.ok(rows.length > 800)
  for (const { terminal, name } of rows) {
    const unlocode = terminal.unlocode ?? ''
    assert.equal(findTerminalOfSource({ unlocode, name })?.id, terminal.id, `${unlocode} ${name}`)
    assert.equal(findPlaceByCode(unlocode)?.unlocode, unlocode)
  }
})

const terminalAt = (unlocode: string, ...facilityNames: readonly string[]) =>
  resolvePlace({ unlocode, facilityNames })?.terminal?.name ?? null

test('a differently worded name finds the only terminal of the port that it fits', () => {
  for (const [unlocode, written, name] of [
    ['DEBRV', 'NTB North Sea Terminal Bremerhaven', 'North Sea Terminal Bremerhaven'],
    ['TRYAR', 'DP World Terminal - Yarimca', 'DP World Yarimca'],
    ['MYTPP', 'Pelabuhan Tanjung Pelepas Terminal', 'Port of Tanjung Pelepas'],
    ['DEHAM', 'HHLA Container Terminal Burchardkai (CTB)', 'HHLA Container Terminal Burchardkai'],
    ['USLGB', 'Long Beach Container Terminal LLC', 'Long Beach Container Terminal'],
    ['NLRTM', 'Maasvlakte 2 APM Terminals, Rotterdam', 'APM Terminals Maasvlakte II'],
  ] as const)
    assert.equal(terminalAt(unlocode, written), name, written)
})

test('finds no terminal by a name that fits several terminals or another kind of facility', () => {
  for (const [unlocode, written] of [
    ['NLRTM', 'APM Terminals Rotterdam'],
    ['NLRTM', 'APM Terminals Maasvlakte 3'],
    ['DEBRV', 'North Sea Depot'],
    ['MYTPP', 'Pelabuhan Tanjung Pelepas'],
    ['USLAX', 'Everport Rail Yard'],
    ['DEHAM', 'Container Terminal Hamburg'],
  ] as const)
    assert.equal(terminalAt(unlocode, written), null, written)
})

test('finds the right terminal for three in four invented spellings, and a wrong one for few', () => {
  const rows = terminalNames().filter(({ isReadOfSources }) => isReadOfSources)
  const byPort = Map.groupBy(rows, ({ terminal }) => terminal.unlocode)
  const counts = { right: 0, wrong: 0, none: 0, absent: 0, wrongForAbsent: 0 }
  for (const { terminal, name } of rows) {
    const port = findPlaceByCode(terminal.unlocode ?? '')?.name ?? ''
    const names = byPort.get(terminal.unlocode) ?? []
    const spellings = [
      `${name} Terminal`,
      `${name} Container Terminal`,
      `${terminal.nickname ?? 'XYZ'} ${name}`,
      `${name}, ${port}`,
      `${port} - ${name} Ltd`,
      name.split(' ').toReversed().join(' '),
      name.replace(/container terminal/i, 'CT'),
    ]
    for (const spelling of spellings) {
      const found = findByWords(spelling, names, [port])
      counts[found === null ? 'none' : found.id === terminal.id ? 'right' : 'wrong'] += 1
    }
    // As if the terminal were not in our list.
    const others = names.filter((other) => other.terminal.id !== terminal.id)
    counts.absent += 1
    if (findByWords(name, others, [port]) !== null) counts.wrongForAbsent += 1
  }
  const all = counts.right + counts.wrong + counts.none
  assert.ok(counts.right > 0.75 * all, JSON.stringify(counts))
  assert.ok(counts.wrong < 0.001 * all, JSON.stringify(counts))
  assert.ok(counts.wrongForAbsent < 0.015 * counts.absent, JSON.stringify(counts))
})

test('distinguishes two terminals of one name by their codes', () => {
  const second = findTerminal({ provider: 'SMDG', code: 'DPWJ2', unlocode: 'AEJEA' })
  const third = findTerminal({ provider: 'SMDG', code: 'DPWJ3', unlocode: 'AEJEA' })
  assert.deepEqual([second?.name, second?.nickname, third?.nickname], ['DP World Jebel Ali', 'T2', 'T3'])
  assert.equal(findTerminalOfSource({ unlocode: 'AEJEA', name: 'Jebel Ali T2' })?.id, second?.id)
  assert.equal(findTerminalOfSource({ unlocode: 'AEJEA', name: 'DP World Jebel Ali' }), null)
})

test('matches a list’s terminals with ours by name or distinguishing words, one to one', () => {
  const found = (unlocode: string, ...names: readonly string[]) => {
    const rows = names.map((name, at) => {
      const key = `${unlocode}:Q${at}`
      return { key, values: { unlocode, name, smdgCode: `Q${at}` } }
    })
    const keys = new Map([...findUncodedTerminals(rows)].map(([id, key]) => [key, findTerminalById(id)?.name]))
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
  assert.deepEqual(found('BEANR', 'PSA EUROPA TERMINAL (K869)', 'PSA TERMINAL'), ['PSA Europa Terminal', null])
  assert.deepEqual(found('AEJEA', 'DP WORLD JEBEL ALI'), [null], 'two of ours bear the name')
  assert.deepEqual(found('IQUQR', 'BASRA GATEWAY TERMINAL'), [null], 'it has two parts with us')
})

test('every name of the table belongs to a terminal of its port', () => {
  const ports = new Set(allTerminals().map(({ unlocode }) => unlocode))
  readTable('terminal-names.tsv', (cells) => assert.ok(ports.has(cells(0)), cells(0) ?? ''))
})
