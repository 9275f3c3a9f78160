/** `landfall sources read`: what would be made of an answer of a line, and a fixture of it that anybody may see. */

import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { styleText } from 'node:util'
import { addMs } from '../../core/time.ts'
import { readConfig } from '../../platform/config.ts'
import { readRules } from '../../service/ledger/rules.ts'
import { type AnswerReading, readAnswer } from '../../service/sources/read-answer.ts'
import { redactAnswer } from '../../sources/dcsa/redact.ts'
import { numberKinds } from '../../sources/source.ts'
import { command, type Shell, UsageError } from './command.ts'

const dayMs = 86_400_000

export const sourcesRead = command({
  name: 'sources read',
  summary: "Show what would be made of a line's answer; nothing is stored",
  about: `What is read, in the journey notation; what is lost, where and why; containers with status and milestones. DCSA Track &
Trace is read, as the shipped profile of the line has it. No installation is needed. With --redact a fixture is written
besides: numbers, ids, ships and voyages replaced, all times moved by the same days, parties, addresses and free text
blanked; it is read again, and has to say the same.
Exits with 1 when the answer is none, or the fixture would be read otherwise.`,
  operands: [
    { name: 'scac', about: 'the line' },
    { name: 'file', about: 'the answer as it came; - for standard input' },
  ],
  options: {
    number: {
      type: 'string',
      value: '<number>',
      about: 'what was asked; the first that the answer names, when left out',
    },
    kind: { type: 'string', value: '<kind>', about: `of the number: ${numberKinds.join(', ')}` },
    at: { type: 'string', value: '<time>', about: 'as if it had come then: ISO 8601; now, when left out' },
    redact: {
      type: 'string',
      value: '<file>',
      about: 'write the fixture there; - for standard output, in place of the rest',
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
    const kind = numberKinds.find((each) => each === options.kind) ?? null
    if (options.kind !== null && kind === null)
      throw new UsageError(`${options.kind} is no kind of number: ${numberKinds.join(', ')}.`)
    const at = readMoment(options.at)
    const body = file === '-' ? await readInput() : await readFile(file)
    const rules = readRules(readConfig(shell.env))
    const asked = { scac, number: options.number, kind, at }
    const told = readAnswer(rules, { ...asked, body })
    const isRead = told.verdict !== 'unrecognized'
    if (options.redact === null) {
      print(shell, told, options.json)
      return isRead ? 0 : 1
    }
    const shiftDays = -randomInt(28, 365)
    const redacted = redactAnswer(body, { shiftDays })
    if (!redacted.ok) {
      shell.tell(`It cannot be redacted: ${redacted.reason}.`)
      return 1
    }
    const { text, replacementOf } = redacted.value
    const again = readAnswer(rules, {
      scac,
      kind: told.asked.kind,
      number: replacementOf(told.asked.number),
      body: Buffer.from(text),
      at: addMs(at, shiftDays * dayMs),
    })
    if (options.redact === '-') shell.print(text.trimEnd())
    else {
      await writeFile(options.redact, text, { flag: 'wx' })
      print(shell, told, options.json)
      shell.tell(`${options.redact} is written. Look it over before you give it away.`)
    }
    if (summaryOf(again) === summaryOf(told)) return isRead ? 0 : 1
    shell.tell('The redacted answer is read otherwise than the original: please report the kind of answer.')
    return 1
  },
})

/** What has to stay the same whatever the numbers are. */
function summaryOf(told: AnswerReading): string {
  const issues = told.issues.map(({ kind, page, path }) => `${kind} ${page} ${path}`)
  const boxes = told.containers.map(({ status, milestones }) => `${status} ${milestones.length}`).toSorted()
  return JSON.stringify([told.verdict, told.counts, told.said.length, issues, boxes])
}

function print(shell: Shell, told: AnswerReading, isJson: boolean): void {
  if (isJson) shell.print(JSON.stringify(told, null, 2))
  else for (const line of linesOf(told, shell.hasColours)) shell.print(line)
}

function linesOf(told: AnswerReading, hasColours: boolean): readonly string[] {
  const title = (text: string): string =>
    hasColours ? styleText('bold', plain(text), { validateStream: false }) : plain(text)
  const { asked, counts, shipment } = told
  const partly = counts.told - counts.aside - counts.understood - counts.lost
  return [
    title(`${asked.scac} ${asked.kind} ${asked.number || '(no number)'}: ${told.verdict}`),
    ...(told.hasProfile ? [] : ['No interface of this line is known: it is read as the standard has it.']),
    `${counts.told} events: ${counts.understood} understood, ${partly} in part, ${counts.lost} lost, ${counts.aside} set aside${told.isPartlyUnderstood === true ? '; partly understood' : ''}`,
    '',
    title('Read'),
    ...listOf(told.said),
    '',
    title('Lost, and other issues'),
    ...listOf(
      told.issues.map(
        ({ kind, page, path, lost, detail }) =>
          `${kind}  lost: ${lost}  ${page === 1 ? '' : `page ${page} `}${path || '/'}  ${detail}`,
      ),
    ),
    ...told.notBelieved.map(({ kind, detail }) => `  ${kind}  ${plain(detail)}`),
    '',
    title(
      `Shipment ${shipment.billOfLadingNumber ?? shipment.bookingNumber ?? '-'}  ${shipment.portOfLoading ?? '?'} → ${shipment.portOfDischarge ?? '?'}`,
    ),
    ...told.containers.flatMap(({ number, status, milestones }) => [
      title(`${number}  ${status}`),
      ...listOf(milestones),
    ]),
  ]
}

function listOf(lines: readonly string[]): readonly string[] {
  return (lines.length === 0 ? ['–'] : lines).map((line) => `  ${plain(line)}`)
}

/** A terminal acts on control characters. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

function readMoment(text: string | null): string {
  const at = text === null ? new Date() : new Date(text)
  if (Number.isNaN(at.getTime())) throw new UsageError('--at is an ISO 8601 time: 2026-01-22T12:00:00Z.')
  return at.toISOString()
}
