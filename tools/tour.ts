/** `npm run tour -- <story>`: shows one golden story stage by stage, from what was read to what subscribers get. */

import { readdirSync, readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { mergeJourney } from '../src/domain/journey/journey.ts'
import { writeMilestone, writeObservation } from '../src/domain/notation/notation.ts'
import { readClaims } from '../src/domain/shipment/read-claims.ts'
import type { Claim } from '../src/domain/statements/observation.ts'
import { type Look, parseStory, type Story } from '../test/support/story.ts'
import { Telling } from '../test/support/telling.ts'

const folder = new URL('../test/journey-stories/', import.meta.url)
const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted()

const [name = 'transshipment'] = process.argv.slice(2)
if (name === '--help' || name === '--list' || !stories.includes(name)) {
  if (!name.startsWith('--')) console.error(`There is no story called ${name}.`)
  console.log(`Usage: npm run tour -- <story>\n\nStories:\n${stories.map((story) => `  ${story}`).join('\n')}`)
  process.exit(name.startsWith('--') ? 0 : 2)
}
tell(parseStory(readFileSync(new URL(`${name}/story.txt`, folder), 'utf8')))

function tell(story: Story): void {
  console.log(styleText('bold', name.replaceAll('-', ' ')))
  console.log(story.why)
  console.log(`\nAsked: ${story.request.kind} ${story.request.number} at ${story.line}, on ${story.requestedAt}`)
  const telling = new Telling(story)
  for (const look of story.looks) tellLook(story, telling, look)
}

function tellLook(story: Story, telling: Telling, look: Look): void {
  const before = idsOf(telling.liveClaims)
  const heard = telling.look(look)
  console.log(`\n${styleText('inverse', ` ${look.at} `)} ${headline(look)}`)
  stage(
    '1 read',
    'what the source said, in the journey notation',
    look.said.map(({ text }) => text),
  )
  const after = idsOf(telling.liveClaims)
  stage('2 absorb', 'a repeated statement adds nothing, a new one under an old key replaces it', [
    `${after.difference(before).size} claims added, ${before.difference(after).size} retired, ${after.size} stand`,
  ])
  if (telling.projection !== null) {
    stage('3 merge', 'claims of all sources by transport call', calls(story, telling, look))
    for (const box of telling.projection.containers) {
      stage(`4 project ${box.number}`, `current_status ${box.status}`, box.milestones.map(writeMilestone))
    }
  }
  stage('5 announce', 'what subscribers hear', heard)
}

function idsOf(claims: readonly Claim[]): ReadonlySet<string> {
  return new Set(claims.map(({ id }) => id))
}

function headline(look: Look): string {
  if (look.kind === 'timer') return 'time passes, nobody speaks'
  return look.kind === 'answers' ? `the line answers: ${look.outcome}` : 'a poll'
}

function calls(story: Story, telling: Telling, look: Look): readonly string[] {
  const said = readClaims(telling.liveClaims, look.at).byContainer.get(story.box ?? '')
  return mergeJourney(said?.statements ?? []).calls.flatMap(({ key, slots }) => [
    key,
    ...slots
      .flatMap(({ actual, estimate }) => [actual, estimate])
      .filter((statement) => statement !== null)
      .toSorted((a, b) => a.from - b.from)
      .map((statement) => `  ${writeObservation(statement.event, statement.claim.source)}`),
  ])
}

function stage(title: string, about: string, lines: readonly string[]): void {
  console.log(`${styleText('cyan', title)} ${styleText('dim', about)}`)
  for (const line of lines.length === 0 ? ['–'] : lines) console.log(`  ${line}`)
}
