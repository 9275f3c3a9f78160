/** `landfall connect`: gives this installation access to a carrier, terminal, railroad or feed, tried with a number of one's own. */

import { feedNames } from '../../connectors/ais/feed.ts'
import { requestTypeOfKind } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import type { Context } from '../../modules/access/context.ts'
import { writeConnection } from '../../modules/connections/connection-resource.ts'
import {
  type ConnectionTarget,
  findConnectionTarget,
  listConnectionTargets,
} from '../../modules/connections/connection-target.ts'
import { isWorking } from '../../modules/connections/diagnose-access.ts'
import { findRealAccount } from '../../modules/connections/real-account.ts'
import { type SavedAccess, saveAccess } from '../../modules/connections/save-access.ts'
import { type AccessTrial, tryAccess } from '../../modules/connections/try-access.ts'
import type { Service } from '../../modules/service.ts'
import { requestTracking } from '../../modules/tracking-requests/request-tracking.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { readJsonObject } from '../channels/channels-polling.ts'
import { defineCommand, type ExitCode, type Prompt, type Shell, UsageError } from '../framework/command.ts'
import { connectFeed, feeds } from './connect-feed.ts'
import { guideLines, savedLines, trialLines } from './connect-lines.ts'
import { connectPush } from './connect-push.ts'
import { kindOption, parseNumberKind } from './number-kind.ts'

export const connect = defineCommand({
  about: `Shows what the carrier, terminal or railroad needs and where to get it, asks for the secrets (they are not shown), tries them at
once with a number of your own, shows what came back, and stores the secrets encrypted. Nothing is stored if the trial
fails. Workers use the access from their next poll on; no restart is needed. Without a name it lists what can be
connected. For a carrier that sends by itself, --push gives the address and the key for the carrier.
Exits with 1 if the access does not work.`,
  operands: [
    { name: 'target', about: 'SCAC or name of a carrier, or another name that the list shows', isRepeated: true },
  ],
  options: {
    number: { type: 'string', value: '<number>', about: 'number of your own for the trial' },
    kind: kindOption,
    secrets: {
      type: 'string',
      value: '<file.json>',
      about: 'file with the secrets by name; if it is missing, you type them',
    },
    profile: {
      type: 'string',
      value: '<file.json>',
      about: 'file with members of the profile that differ from what ships',
    },
    push: { type: 'boolean', about: 'the carrier sends: print address and key for it, and wait for its first message' },
    guide: { type: 'boolean', about: 'only show what is needed' },
    check: { type: 'boolean', about: 'only try, and store nothing' },
    pay: { type: 'boolean', about: 'try although each request is billed' },
    track: { type: 'boolean', about: 'track the number afterwards' },
    account: { ...accountOption, about: 'the access is for this account only; if it is missing, for all accounts' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['connect HLCU', 'connect lbct --guide', 'connect MAEU --secrets maersk.json --number 263123456 --track'],
  run: async ({ operands, options, shell }) => {
    const kind = parseNumberKind(options.kind)
    const prompt = options.guide || options.json ? null : await shell.openPrompt()
    const named = operands.join(' ') || (await chooseTarget(shell, prompt))
    if (named === null) return 0
    const feed = feedNames.find((name) => name === named.toLowerCase())
    if (feed !== undefined) return connectFeed(feed, { shell, prompt })
    let changes: JsonObject = options.profile === null ? {} : readJsonObject(options.profile)
    let target = findConnectionTarget(named, changes)
    if (options.guide || prompt !== null) for (const line of guideLines(target, shell.hasColours)) shell.print(line)
    if (options.guide) return 0
    if (!target.isKnown && options.profile === null && !options.push)
      throw new UsageError(
        `No interface of ${target.name} is publicly known. Describe yours in a file, and give it with --profile (docs/writing-a-profile.md).`,
      )
    if (options.push) {
      const service = await shell.openService()
      const owner = options.account === null ? null : await findAccountContext(service, options.account)
      return connectPush(service, target, { owner, shell })
    }
    if (prompt !== null && target.unset.length > 0) {
      for (const path of target.unset)
        changes = setAt(changes, path, await prompt.ask(`${path}, as ${target.name} gave it to you`))
      target = findConnectionTarget(named, changes)
    }
    const service = await shell.openService()
    const owner = options.account === null ? null : await findAccountContext(service, options.account)
    for (;;) {
      const secrets = await readSecrets(target, options.secrets, prompt)
      const number = options.number ?? (await prompt?.ask('A number of your own for the trial')) ?? ''
      const isPaid =
        options.pay || (target.isBilled && (await isConfirmed(prompt, `${target.name} bills each request. Try it`)))
      shell.progress(`Asking ${target.name} …`)
      const trial = await tryAccess(service, target, { number, kind, secrets, isPaid })
      const saved =
        options.check || !isWorking(trial.finding.cause) || !(await isWanted(prompt, trial))
          ? null
          : await saveAccess(service, target, { trial, secrets, owner })
      if (options.json) shell.print(JSON.stringify(writeConnection({ target, trial, saved }), null, 2))
      else
        for (const line of [...trialLines(target, trial, shell.hasColours), ...savedLines(target, saved)])
          shell.print(line)
      if (!isWorking(trial.finding.cause) && (await isConfirmed(prompt, 'Try again with other secrets'))) continue
      if (saved === null) return isWorking(trial.finding.cause) ? 0 : 1
      return trackNumber(service, { target, trial, owner, saved, isTracked: options.track, prompt, shell })
    }
  },
})

/** Prints what can be connected. Null where nobody can answer. */
async function chooseTarget(shell: Shell, prompt: Prompt | null): Promise<string | null> {
  const positions = feedNames.map((id) => ({ id, name: `positions of ships: ${feeds[id].about}` }))
  for (const { id, name } of [...listConnectionTargets(), ...positions]) shell.print(`${id.padEnd(14)}${name}`)
  return prompt === null ? null : prompt.ask('Which one')
}

async function readSecrets(
  { secretNames, name: source }: ConnectionTarget,
  file: string | null,
  prompt: Prompt | null,
): Promise<Readonly<Record<string, string>>> {
  if (file !== null) {
    const given = readJsonObject(file)
    const wrong = Object.entries(given).find(([, value]) => typeof value !== 'string')?.[0]
    if (wrong !== undefined) throw new UsageError(`${file}: the secret ${wrong} must be a text.`)
    return given as Readonly<Record<string, string>>
  }
  if (prompt === null && secretNames.length > 0)
    throw new UsageError(
      `${source} needs ${secretNames.join(', ')}: call this at a terminal, or give a file with --secrets.`,
    )
  const secrets: Record<string, string> = {}
  for (const name of secretNames) secrets[name] = (await prompt?.askSecret(name)) ?? ''
  return secrets
}

/** A trial at a test system, or of a number that is not known, needs a decision. */
async function isWanted(prompt: Prompt | null, { finding }: AccessTrial): Promise<boolean> {
  if (finding.cause === 'works') return true
  if (finding.cause === 'test_address' && prompt === null) return false
  return prompt === null || isConfirmed(prompt, 'Store this access all the same')
}

async function isConfirmed(prompt: Prompt | null, question: string): Promise<boolean> {
  if (prompt === null) return false
  return /^y/i.test(await prompt.ask(`${question} (y/n)`, 'n'))
}

async function trackNumber(
  service: Service,
  of: {
    readonly target: ConnectionTarget
    readonly trial: AccessTrial
    readonly owner: Context | null
    readonly saved: SavedAccess
    readonly isTracked: boolean
    readonly prompt: Prompt | null
    readonly shell: Shell
  },
): Promise<ExitCode> {
  const { target, trial, shell } = of
  if (target.kind !== 'line' || trial.finding.cause !== 'works') return 0
  if (!of.isTracked && !(await isConfirmed(of.prompt, `Track ${trial.number} now`))) return 0
  const { context, keyFile } = of.owner === null ? await findRealAccount(service) : { context: of.owner, keyFile: null }
  const { id } = await requestTracking(service, context, {
    requestType: requestTypeOfKind(trial.kind),
    requestNumber: trial.number,
    scac: target.id,
    refNumbers: [],
    shipmentTags: [],
  })
  shell.print(`${trial.number} is tracked for ${context.account.companyName} (tracking request ${id}).`)
  if (keyFile !== null)
    shell.print(
      `Its API key is in ${keyFile}. To list its shipments:\n  LANDFALL_API_KEY=$(cat ${keyFile}) npm run landfall -- shipments`,
    )
  return 0
}

function setAt(whole: JsonObject, path: string, value: string): JsonObject {
  const [step = '', ...rest] = path.split('.')
  const inside = (whole[step] ?? {}) as JsonObject
  return { ...whole, [step]: rest.length === 0 ? value : setAt(inside, rest.join('.'), value) }
}
