/**
 * The keys of JSON that is stored: of what older programs have stored (the kept installations), and of what this program
 * makes of the golden stories. Keys that are ids, numbers or codes are written as `*`.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { requestTypeOfKind } from '../../src/domain/tracking-requests/tracking-request-state.ts'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import type { FoldResult } from '../../src/pipeline/ledger/fold-result.ts'
import { defaultRules } from '../../src/pipeline/ledger/rules.ts'
import { openScenario } from '../../src/pipeline/ledger/scenario.ts'
import { emptyState } from '../../src/pipeline/ledger/state-rows.ts'
import { type ChangedRows, changedRows } from '../../src/pipeline/projection/changed-rows-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import { parseStory, type Story } from '../../test/support/story.ts'
import { listKept, readBytes } from '../../test/upgrade/kept.ts'
import { type Group, hashOf } from './dump-text.ts'

const stories = join(import.meta.dirname, '../../test/journey-stories')

export function storedKeyGroups(): readonly Group[] {
  const { keys, ids } = keysOfStories()
  return [
    { title: 'stored JSON of kept installations', lines: keysOfKept() },
    { title: 'rows that the golden stories make', lines: keys },
    { title: 'ids that the golden stories make', lines: ids },
  ]
}

function keysOfKept(): readonly string[] {
  const found = new KeyPaths()
  for (const name of listKept()) {
    let table = { name: '', columns: [] as readonly string[] }
    for (const line of tellingLines(readBytes(name))) {
      const value = JSON.parse(line)
      if (!Array.isArray(value)) table = value
      else addRow(found, table, value)
    }
  }
  return found.lines()
}

/** The heads of tables, and of their rows those with JSON inside: a fortieth of the 200 MB that two installations are. */
function* tellingLines(packed: Buffer): Generator<string> {
  const bytes = zstdDecompressSync(packed, { chunkSize: 2 ** 24 })
  for (let from = 0, place = 0; from < bytes.length; place += 1) {
    const end = bytes.indexOf('\n', from)
    const line = bytes.subarray(from, end === -1 ? bytes.length : end)
    from += line.length + 1
    // The first three lines are about the whole installation.
    if (place > 2 && (line[0] === objectStart || line.includes('{\\"'))) yield line.toString('utf8')
  }
}

const objectStart = '{'.charCodeAt(0)

function addRow(
  found: KeyPaths,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  row: readonly (string | null)[],
): void {
  const of = name === 'ledger' ? `${name}(${row[columns.indexOf('kind')]})` : name
  for (const [index, text] of row.entries()) {
    const value = text === null ? null : parseJson(text)
    if (value !== null) found.add(`${of}.${columns[index]}`, value)
  }
}

/** Null for what is no object and no list: texts and arrays of PostgreSQL (`{a,b}`) are no JSON. */
function parseJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Through the same fold and the same records as a live shipment. */
function keysOfStories(): { readonly keys: readonly string[]; readonly ids: readonly string[] } {
  const found = new KeyPaths()
  const ids: string[] = []
  const names = readdirSync(stories, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of names) {
    const story = parseStory(readFileSync(join(stories, name, 'story.txt'), 'utf8'))
    const rows = Object.entries(tablesOf(rowsOf(story)))
    for (const [table, records] of rows) for (const record of records) found.add(table, record)
    const own = rows.flatMap(([table, records]) => records.map(({ id }) => `${table} ${id}`))
    ids.push(`${name} ${hashOf(own.toSorted().join('\n'))}`)
  }
  return { keys: found.lines(), ids }
}

function rowsOf(story: Story): ChangedRows {
  const [accountId, id] = ['account', 'request'].map((what) => uuidV5(LANDFALL_NAMESPACE, `story:${what}`))
  if (accountId === undefined || id === undefined) throw new Error('no ids')
  const { kind, number } = story.request
  const created = {
    requestType: requestTypeOfKind(kind),
    requestNumber: number,
    number,
    scac: story.line,
    refNumbers: [],
    shipmentTags: [],
  }
  const told = openScenario(foldBy(defaultRules), { accountId, id, requestedAt: story.requestedAt, created })
  const yields = story.looks.flatMap((look): readonly FoldResult[] => {
    const { at, outcome, wholePictureOf } = look
    if (look.kind === 'timer') return told.wait(at)
    if (look.kind === 'answers') return [told.answer({ at, outcome: { kind: outcome } })]
    return [told.read({ at, wholePictureOf, statements: look.said.map(({ line }) => line) })]
  })
  const before = { state: emptyState(accountId), locked: new Set<string>() }
  return changedRows(before, told.state(), yields)
}

function tablesOf(rows: ChangedRows): Readonly<Record<string, ChangedRows['claims']>> {
  return {
    shipments: rows.shipments.made,
    tracking_requests: rows.requests.made,
    containers: rows.containers.made,
    claims: rows.claims,
    issues: rows.issues,
    transport_events: rows.transportEvents.made,
    events: rows.events,
  }
}

/** Their words are told too, where they have nothing but words. */
const listedKeys = /^(kind|type|fact|action|outcome|of|via|hand|status|classifier|reference_type|reason)$/
const wordsMax = 40

/** The keys of objects by their place: `claims.observation {code, kind=event|fact, …}`. */
class KeyPaths {
  readonly #found = new Map<string, Map<string, Set<string>>>()

  add(path: string, value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.add(`${path}[]`, each)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) {
        const name = /^[a-z][a-zA-Z_]*$/.test(key) ? key : '*'
        const words = this.#wordsOf(path, name)
        if (listedKeys.test(name) && typeof each === 'string') words.add(each)
        this.add(`${path}.${name}`, each)
      }
  }

  #wordsOf(path: string, name: string): Set<string> {
    const keys = this.#found.get(path) ?? new Map<string, Set<string>>()
    this.#found.set(path, keys)
    const words = keys.get(name) ?? new Set()
    keys.set(name, words)
    return words
  }

  lines(): readonly string[] {
    return [...this.#found].map(([path, keys]) => {
      const members = [...keys]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, words]) => {
          const isList = words.size <= wordsMax && [...words].every((word) => /^[a-zA-Z_.]+$/.test(word))
          return isList && words.size > 0 ? `${name}=${[...words].toSorted().join('|')}` : name
        })
      return `${path} {${members.join(', ')}}`
    })
  }
}
