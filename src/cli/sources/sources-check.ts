/** `landfall sources check`: tries an operator's access to a line, shows what came, and notes that the access works. */

import { writeFile } from 'node:fs/promises'
import { attestAccess } from '../../modules/sources/attest-access.ts'
import { type AccessCheck, checkAccess } from '../../modules/sources/check-access.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { answerLines } from './answer-lines.ts'
import { kindOption, parseNumberKind } from './number-kind.ts'
import { readOtherwise, writeFixture } from './write-fixture.ts'

export const sourcesCheck = defineCommand({
  about: `Landfall asks the carrier once, with the credentials of carriers.json; the rate limit of the carrier does not delay this. The
answer and the result of reading it are shown and not stored. With --verify the access is marked as tested if the carrier
knows the number; a later change of the profile removes the mark. With --redact a fixture is written, as by
\`sources read\`. With --attest a signed report is written that can be given to others (attestations/README.md): it has
no number, party or text of the answer.
Exits with 1 if no answer came, or if the answer is not about the number.`,
  operands: [
    { name: 'scac', about: 'the line' },
    { name: 'number', about: 'number of a bill, booking or container that the carrier knows' },
  ],
  options: {
    kind: kindOption,
    verify: { type: 'boolean', about: 'mark the access as tested' },
    pay: { type: 'boolean', about: 'poll although the carrier charges for each request' },
    redact: { type: 'string', value: '<file>', about: 'write a fixture of the answer to this file' },
    attest: { type: 'string', value: '<file>', about: 'write a signed report about the line to this file' },
    'with-codes': { type: 'boolean', about: 'with --attest: name the codes that Landfall does not know, too' },
    json: { type: 'boolean', about: 'print JSON' },
    account: accountOption,
  },
  examples: ['sources check HLCU HLCUABC012345678', 'sources check MAEU 263123456 --verify --attest maeu.json'],
  run: async ({ operands, options, shell }) => {
    const [scac = '', number = ''] = operands
    const kind = parseNumberKind(options.kind)
    if (options['with-codes'] && options.attest === null) throw new UsageError('--with-codes needs --attest.')
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const target = { scac, number, kind, isPaid: options.pay, isVerifying: options.verify }
    const check = await checkAccess(service, context, target)
    const { answer, reading } = check
    if (options.json) shell.print(JSON.stringify(asJson(check), null, 2))
    else for (const line of linesOf(check, shell.hasColours)) shell.print(line)
    if (options.verify && !isKnown(check))
      shell.log('The access is not marked as tested: the carrier gave no answer about the number.')
    if (options.redact !== null && reading !== null && answer.kind === 'answered') {
      const { body, fetchedAt: at } = answer.snapshot
      const fixture = writeFixture(readRules(service.config), {
        reading: reading,
        body,
        at,
        access: check.access,
      })
      if (!fixture.ok) {
        shell.log(fixture.reason)
        return 1
      }
      await writeFile(options.redact, fixture.value.text, { flag: 'wx' })
      shell.log(`${options.redact} is written. Check it before you give it to others.`)
      if (!fixture.value.isReadAlike) shell.log(readOtherwise)
    }
    if (options.attest !== null) {
      const attestation = await attestAccess(service, context, { check, showsCodes: options['with-codes'] })
      const shown = Object.entries(attestation.codes.shown).map(([name, codes]) => `${name} ${codes.join(' ')}`)
      if (options['with-codes']) shell.log(`Codes that the report names: ${shown.join('; ') || 'none'}.`)
      await writeFile(options.attest, `${JSON.stringify(attestation, null, 2)}\n`, { flag: 'wx' })
      shell.log(`${options.attest} is written. Answers that it rests on: ${attestation.answers}.`)
    }
    return isKnown(check) ? 0 : 1
  },
})

function isKnown({ reading }: AccessCheck): boolean {
  return reading?.verdict === 'found' || reading?.verdict === 'known_without_data'
}

function linesOf({ answer, reading, verifiedAt }: AccessCheck, hasColours: boolean): readonly string[] {
  const proof = verifiedAt === null ? 'This access has not been tested yet.' : `Tested on ${verifiedAt}.`
  const took = `after ${(answer.durationMs / 1_000).toFixed(1)} s`
  if (answer.kind === 'unreachable')
    return [`${answer.url}: nothing came ${took}: ${answer.reason}: ${answer.detail}`, proof]
  const { status, body, contentType } = answer.snapshot
  const came = `${answer.url}: ${status}, ${contentType ?? 'no content type'}, ${body.length} bytes ${took}`
  return [came, '', ...(reading === null ? [] : answerLines(reading, hasColours)), '', proof]
}

function asJson({ scac, answer, reading, verifiedAt }: AccessCheck) {
  const { kind, url, durationMs } = answer
  const came =
    answer.kind === 'answered'
      ? { status: answer.snapshot.status, bytes: answer.snapshot.body.length }
      : { reason: answer.reason, detail: answer.detail }
  return { scac, answer: { kind, url, durationMs, ...came }, reading, verifiedAt }
}
