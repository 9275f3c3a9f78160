/** `landfall sources changes`: what changed in the answers of lines, and an example that can be given to others. */

import { writeFile } from 'node:fs/promises'
import { shapeOf, shareOfChange } from '../../domain/tracking-requests/answer-shape.ts'
import type { CountedChange } from '../../modules/sources/answer-shapes-sql.ts'
import {
  changesDays,
  findChangedAnswer,
  findShownChanges,
  listChangedChannels,
} from '../../modules/sources/changed-answers.ts'
import { readAnswer } from '../../modules/sources/read-answer.ts'
import { describeChange } from '../../modules/sources/watch-shapes.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { defineCommand, type Shell, UsageError } from '../framework/command.ts'
import { redactReading } from './write-fixture.ts'

export const sourcesChanges = defineCommand({
  about: `Lists members, types and codes that are new in the answers of lines, and members that are missing, of the last ${changesDays} days,
with the share of the newest answers. With --redact it writes a fixture, as \`sources read\` does, of the newest
stored answer that shows most of the changes. Only answers in DCSA Track & Trace and of COSCO can be redacted.
Exits with 1 if no example is written.`,
  operands: [{ name: 'scac', about: 'only these lines', isRepeated: true }],
  options: {
    redact: { type: 'string', value: '<file>', about: 'write the example to this file; for one line' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['sources changes', 'sources changes HLCU --redact example.json'],
  run: async ({ operands, options, shell }) => {
    const scacs = operands.map((each) => {
      const line = findShippingLine(each)
      if (line === null) throw new UsageError(`${each} is not the SCAC of a known line.`)
      return line.scac
    })
    if (options.redact !== null && scacs.length !== 1) throw new UsageError('--redact needs exactly one line.')
    const service = await shell.openService()
    const channels = await listChangedChannels(service, { scacs })
    if (options.json)
      shell.print(
        JSON.stringify(
          channels.map(({ scac, changes }) => ({ scac, changes: changes.map(asJson) })),
          null,
          2,
        ),
      )
    else if (channels.length === 0) shell.print(`No answer has changed in the last ${changesDays} days.`)
    else
      for (const { scac, changes } of channels)
        for (const change of changes) shell.print(`${scac}  ${describeChange(change).replace(/\p{Cc}+/gu, ' ')}`)
    if (options.redact === null) return 0
    for (const channel of channels) {
      const changed = await findChangedAnswer(service, channel)
      if (changed === null) continue
      const { answer, shows } = changed
      const rules = readRules(service.config)
      const snapshot = { ...answer.answered, body: answer.body, fetchedAt: answer.at }
      const { access } = answer
      const redacted = redactReading(rules, { reading: readAnswer(rules, answer), snapshot, access })
      if (!redacted.ok) {
        shell.log(redacted.reason)
        return 1
      }
      return (await writeExample(shell, { file: options.redact, pages: redacted.value.pages, shows })) ? 0 : 1
    }
    shell.log('No stored answer shows a change.')
    return 1
  },
})

/** Writes the page that shows most. Returns false when the redaction removed every change. */
async function writeExample(
  shell: Shell,
  {
    file,
    pages,
    shows,
  }: { readonly file: string; readonly pages: readonly unknown[]; readonly shows: readonly CountedChange[] },
): Promise<boolean> {
  const leftIn = (page: unknown) => findShownChanges(shapeOf(page), shows)
  const [best] = pages.toSorted((a, b) => leftIn(b).length - leftIn(a).length)
  const left = leftIn(best)
  if (left.length === 0) {
    shell.log('No example is written: the redaction removes the change, because it is in a name or a value.')
    return false
  }
  await writeFile(file, `${JSON.stringify(best, null, 2)}\n`, { flag: 'wx' })
  shell.log(`${file} is written. Check it before you give it to others. It shows:`)
  for (const change of left) shell.log(`  ${describeChange(change)}`)
  for (const change of shows.filter((each) => !left.includes(each)))
    shell.log(`  not, because the redaction removes it: ${describeChange(change)}`)
  return true
}

function asJson(change: CountedChange) {
  const { kind, member, since, attested = false } = change
  const share = shareOfChange(change, change)
  return { change: kind, member, since, attested, answers: share?.shown ?? null, of: share?.of ?? null }
}
