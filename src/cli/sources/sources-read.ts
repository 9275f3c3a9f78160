/**
 * `landfall sources read`: shows how an answer of a line would be read, and writes a fixture of it that can be
 * published.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { type AnswerReading, readAnswer } from '../../modules/sources/read-answer.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { readConfig } from '../../platform/config.ts'
import { defineCommand, type Shell, UsageError } from '../framework/command.ts'
import { answerLines } from './answer-lines.ts'
import { kindOption, parseNumberKind } from './number-kind.ts'
import { readOtherwise, writeFixture } from './write-fixture.ts'

export const sourcesRead = defineCommand({
  about: `Prints what is read, in the journey notation; what is lost, where and why; containers with status and milestones. It reads DCSA Track &
Trace, by Landfall's profile of the carrier. No installation is needed. With --redact it also writes
a fixture: numbers, ids, ships and voyages are replaced, all times are moved by the same days, and parties, addresses and free text
are removed. The fixture is read again and must give the same result.
Exits with 1 if the file is not an answer, or if the fixture gives another result.`,
  operands: [
    { name: 'scac', about: 'the line' },
    { name: 'file', about: 'the answer as it was received; - for standard input' },
  ],
  options: {
    number: {
      type: 'string',
      value: '<number>',
      about: 'the number that was asked for; if it is missing, the first in the answer',
    },
    kind: kindOption,
    at: {
      type: 'string',
      value: '<time>',
      about: 'read it as if it had come at this time: ISO 8601; if it is missing, now',
    },
    redact: {
      type: 'string',
      value: '<file>',
      about: 'write the fixture to this file; - writes it to standard output instead of the result',
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'sources read MSCU answer.json',
    'sources read HLCU - --number HLCUABC012345678 --json',
    'sources read MSCU answer.json --redact fixture.json',
  ],
  run: async ({ operands, options, shell }) => {
    const [scac = '', file = ''] = operands
    const kind = parseNumberKind(options.kind)
    const at = readMoment(options.at)
    const body = file === '-' ? await readInput() : await readFile(file)
    const rules = readRules(readConfig(shell.env))
    const target = { scac, number: options.number, kind, at }
    const reading = readAnswer(rules, { ...target, body })
    const isRead = reading.verdict !== 'unrecognized'
    if (options.redact === null) {
      printReading(shell, reading, options.json)
      return isRead ? 0 : 1
    }
    const fixture = writeFixture(rules, { reading, body, at })
    if (!fixture.ok) {
      shell.log(fixture.reason)
      return 1
    }
    if (options.redact === '-') shell.print(fixture.value.text.trimEnd())
    else {
      await writeFile(options.redact, fixture.value.text, { flag: 'wx' })
      printReading(shell, reading, options.json)
      shell.log(`${options.redact} is written. Check it before you give it to others.`)
    }
    if (fixture.value.isReadAlike) return isRead ? 0 : 1
    shell.log(readOtherwise)
    return 1
  },
})

function printReading(shell: Shell, reading: AnswerReading, isJson: boolean): void {
  if (isJson) shell.print(JSON.stringify(reading, null, 2))
  else for (const line of answerLines(reading, shell.hasColours)) shell.print(line)
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function readMoment(text: string | null): string {
  const at = text === null ? new Date() : new Date(text)
  if (Number.isNaN(at.getTime())) throw new UsageError('--at is an ISO 8601 time: 2026-01-22T12:00:00Z.')
  return at.toISOString()
}
