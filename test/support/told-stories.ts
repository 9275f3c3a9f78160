/**
 * The result of the merge rules for every golden story, as one hash each, with the version of the rules that made it.
 * When rules are corrected, a new version makes stored shipments follow them. Rules that change without a new version
 * would correct nothing.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeObservation } from '../../src/domain/notation/notation.ts'
import { canonicalJson } from '../../src/domain/values/json-value.ts'
import type { ShipmentProjection } from '../../src/domain/view/projection.ts'
import { parseStory } from './story.ts'
import { Telling } from './telling.ts'

const folder = new URL('../journey-stories/', import.meta.url)
export const toldList = new URL('results.sha256', folder)

export interface Told {
  readonly hash: string
  readonly rules: number
}

/** By the story's name, under these rules: a hash of the events after each look and of the whole projection. */
export function tellStories(rules: number): ReadonlyMap<string, Told> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(
    names.map(({ name }) => {
      const story = parseStory(readFileSync(new URL(`${name}/story.txt`, folder), 'utf8'))
      const telling = new Telling(story)
      const told = story.looks.map((look) => [telling.look(look), withWords(telling)])
      return [name, { hash: createHash('sha256').update(canonicalJson(told)).digest('hex'), rules }]
    }),
  )
}

/**
 * The projection with the text of each claim in place of its id. The id is a hash that does not depend on the rules.
 */
function withWords({ projection, claims }: Telling): unknown {
  if (projection === null) return null
  const words = new Map(claims.map(({ id, source, observation }) => [id, writeObservation(observation, source)]))
  const told = JSON.parse(JSON.stringify(projection), (_, value) => words.get(value) ?? value) as ShipmentProjection
  // The projection sorts issues by claim id, so here they are sorted again, by text.
  return { ...told, issues: told.issues.map(canonicalJson).toSorted() }
}

export function readTold(): ReadonlyMap<string, Told> {
  if (!existsSync(toldList)) return new Map()
  const lines = readFileSync(toldList, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [, hash, rules, name] = /^([0-9a-f]{64}) {2}rules\/(\d+) {2}([a-z0-9-]+)$/.exec(line) ?? []
      if (hash === undefined || name === undefined) throw new Error(`results.sha256 has a line that is none: ${line}`)
      return [name, { hash, rules: Number(rules) }]
    }),
  )
}

export function writeTold(told: ReadonlyMap<string, Told>): string {
  return [...told]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { hash, rules }]) => `${hash}  rules/${rules}  ${name}\n`)
    .join('')
}

/**
 * One sentence for each story whose result changed under the same version of the rules. An empty list: nothing changed.
 */
export function findChanged(recorded: ReadonlyMap<string, Told>, now: ReadonlyMap<string, Told>): readonly string[] {
  return [...now].flatMap(([name, { hash, rules }]) => {
    const was = recorded.get(name)
    return was === undefined || was.hash === hash || was.rules < rules
      ? []
      : [`The rules make something else of "${name}": raise rulesVersion in domain/view/projection-rules.ts.`]
  })
}

/** Stories whose recorded line differs from today's. */
export function findUnrecorded(recorded: ReadonlyMap<string, Told>, now: ReadonlyMap<string, Told>): readonly string[] {
  return [...now].flatMap(([name, { hash }]) => (recorded.get(name)?.hash === hash ? [] : [name]))
}
