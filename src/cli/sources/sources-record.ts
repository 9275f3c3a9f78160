/** `landfall sources record`: makes a recording of an answer, with which a fault can be reported. */

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NumberKind, RawSnapshot } from '../../connectors/source.ts'
import { readCarriers } from '../../modules/installation/read-carriers.ts'
import { checkAccess } from '../../modules/sources/check-access.ts'
import { type AnswerReading, type PastedAccess, projectAnswer } from '../../modules/sources/read-answer.ts'
import { listLineSecrets, openStoredAnswer } from '../../modules/sources/recorded-answers.ts'
import { defaultRules } from '../../pipeline/ledger/rules.ts'
import { readConfig } from '../../platform/config.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, type Shell, UsageError } from '../framework/command.ts'
import { answerLines } from './answer-lines.ts'
import { askExpectations } from './ask-expectations.ts'
import { kindOption, parseNumberKind } from './number-kind.ts'
import { type Expectation, parseExpectation } from './recorded-values.ts'
import { writeDifference } from './recording.ts'
import { writeRecording } from './write-recording.ts'

export const sourcesRecord = defineCommand({
  about: `The recording is one JSON file: the answer with numbers, names, parties, texts and times replaced as by \`sources read --redact\`,
how it was read, and what you expect. It has no secret, address or header of your access. Whoever has it sees the fault
with \`npm test -- recordings\` (test/recordings/README.md).
Without --file, --snapshot and --fetch it is the newest stored answer about the number.
On a terminal you are asked what is wrong or missing. With --expect you say it at once, about your own data:
  [<container>:]<milestone or attribute>[@<UN/LOCODE>]=<value>, separated by semicolons; - for none
A day is the day at the place. Without expectations the recording expects what was read.
Exits with 1, without a file, if something that identifies you would remain, or if the recording is read otherwise than the answer.`,
  operands: [
    { name: 'scac', about: 'the line' },
    { name: 'number', about: 'the number that was asked for' },
  ],
  options: {
    out: {
      type: 'string',
      value: '<file>',
      about: 'the recording; an existing file is not overwritten',
      isRequired: true,
    },
    file: { type: 'string', value: '<file>', about: 'take the answer from this file; no installation is needed' },
    snapshot: {
      type: 'string',
      value: '<id>',
      about: 'take this stored answer (`snapshot_id` of an attempt or issue)',
    },
    fetch: { type: 'boolean', about: 'ask the line now' },
    pay: { type: 'boolean', about: 'with --fetch: also if the line charges for each request' },
    expect: { type: 'string', value: '<expectations>', about: 'what should have been read' },
    kind: kindOption,
    at: {
      type: 'string',
      value: '<time>',
      about: 'with --file: when the answer came, ISO 8601; if it is missing, now',
    },
    account: accountOption,
  },
  examples: [
    'sources record HLCU HLCUABC012345678 --out recording.json',
    "sources record MSCU MEDUZQ004310 --file answer.json --expect 'vessel_discharged@USLAX=2026-05-03' --out recording.json",
  ],
  run: async ({ operands, options, shell }) => {
    const [scac = '', number = ''] = operands
    const kind = parseNumberKind(options.kind)
    if ([options.file !== null, options.snapshot !== null, options.fetch].filter(Boolean).length > 1)
      throw new UsageError('Give one of --file, --snapshot and --fetch.')
    if (options.snapshot !== null && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(options.snapshot))
      throw new UsageError(`${options.snapshot} is not the id of a stored answer.`)
    if (existsSync(options.out)) throw new UsageError(`${options.out} exists. Give another --out.`)
    const target = { scac, number, kind }
    const answer = await openAnswer(shell, target, options)
    const { body, fetchedAt: at, ...answered } = answer.snapshot
    const read = projectAnswer(defaultRules, {
      ...answer.request,
      body,
      at,
      answered,
      ...(answer.access !== null && { access: answer.access }),
    })
    for (const line of answerLines(read.reading, shell.hasColours)) shell.print(line)
    shell.print('')
    const expected = await readExpectations(shell, read.reading, options.expect)
    const written = writeRecording({ ...answer, read, expected })
    if (!written.ok) {
      shell.log(written.reason)
      return 1
    }
    const { text, differences, unchanged } = written.value
    await writeFile(options.out, text, { flag: 'wx' })
    shell.print('These texts of the answer are in the recording as they came:')
    for (const [member, texts] of unchanged)
      shell.print(`  ${member}: ${[...texts].join(', ').replace(/\p{Cc}+/gu, ' ')}`)
    shell.print('')
    for (const each of differences) shell.print(writeDifference(each))
    shell.log(
      `${options.out} is written; ${expected.length === 0 ? 'it expects what was read' : `${expected.length - differences.length} of ${expected.length} expectations are read today`}. Look through it before you give it to others.`,
    )
    return 0
  },
})

interface AnswerOptions {
  readonly file: string | null
  readonly snapshot: string | null
  readonly fetch: boolean
  readonly pay: boolean
  readonly at: string | null
  readonly account: string | null
}

interface AnswerSource {
  readonly request: { readonly scac: string; readonly number: string; readonly kind: NumberKind | null }
  readonly snapshot: RawSnapshot
  readonly access: PastedAccess | null
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

async function openAnswer(
  shell: Shell,
  target: AnswerSource['request'],
  options: AnswerOptions,
): Promise<AnswerSource> {
  const carriers = readCarriers(join(readConfig(shell.env).data.folder, 'carriers.json'))
  const known = carriers.flatMap(({ secrets }) => Object.values(secrets))
  if (options.file !== null) {
    const carrier = carriers.find(({ scac }) => scac === findShippingLine(target.scac)?.scac)
    const snapshot = {
      status: 200,
      contentType: null,
      body: await readFile(options.file),
      fetchedAt: readMoment(options.at),
    }
    return { request: target, snapshot, access: carrier ?? null, headers: {}, secrets: known }
  }
  const service = await shell.openService()
  const context = await findAccountContext(service, options.account)
  const secrets = [...known, ...(await listLineSecrets(service, context, target.scac))]
  if (!options.fetch) {
    const stored = await openStoredAnswer(service, context, { ...target, snapshotId: options.snapshot })
    if (stored === null)
      throw new Error(
        `No ${options.snapshot === null ? '' : 'such '}answer about ${target.number} is stored. Ask the line with --fetch, or give a --file.`,
      )
    return { ...stored, headers: {}, secrets }
  }
  const received: Readonly<Record<string, string>>[] = []
  const listening = {
    ...service,
    carrierEgress: (isSandbox: boolean) => {
      const egress = service.carrierEgress(isSandbox)
      const request: typeof egress.request = async (sent) => {
        const result = await egress.request(sent)
        if (result.kind === 'answer') received.push(result.headers)
        return result
      }
      return { ...egress, request }
    },
  }
  const { answer, access, reading } = await checkAccess(listening, context, {
    ...target,
    isPaid: options.pay,
    isVerifying: false,
  })
  if (answer.kind === 'unreachable' || reading === null)
    throw new Error(`No answer came: ${answer.kind === 'unreachable' ? `${answer.reason}: ${answer.detail}` : ''}`)
  return {
    request: reading.asked,
    snapshot: answer.snapshot,
    access,
    headers: selectHeaders(received.at(-1) ?? {}),
    secrets,
  }
}

/** Of the limits only plain numbers, of links only that there are some: anything else may identify the customer. */
function selectHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const isLimit = /^retry-after$|rate-?limit/.test(name)
      if (!isLimit && !/^link$|^next-page/.test(name)) return []
      return [[name, isLimit && /^\d{1,6}$/.test(value) ? value : 'present']]
    }),
  )
}

async function readExpectations(
  shell: Shell,
  reading: AnswerReading,
  given: string | null,
): Promise<readonly Expectation[]> {
  const [first, second] = reading.containers
  if (given !== null)
    return given
      .split(';')
      .filter((text) => text.trim() !== '')
      .map((text) => {
        const parsed = parseExpectation(text, second === undefined ? (first?.number ?? null) : null)
        if (!parsed.ok) throw new UsageError(parsed.reason)
        return parsed.value
      })
  const prompt = await shell.openPrompt()
  return prompt === null ? [] : askExpectations(reading, { ask: prompt.ask, print: shell.print })
}

function readMoment(text: string | null): string {
  const at = text === null ? new Date() : new Date(text)
  if (Number.isNaN(at.getTime())) throw new UsageError('--at is an ISO 8601 time: 2026-01-22T12:00:00Z.')
  return at.toISOString()
}
