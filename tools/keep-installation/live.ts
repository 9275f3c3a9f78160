/**
 * Runs the real program on an empty folder: months of the sandbox in little more than a minute, a company with a real
 * line, people, users who edit, receivers that accept and that fail. Stops it in the middle of its work.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPool, type Pool } from '../../src/db/database.ts'
import { createEncryption } from '../../src/platform/encryption.ts'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from '../../test/e2e/program.ts'
import { withoutLimits } from '../../test/support/without-limits.ts'
import type { KeptHead } from '../../test/upgrade/kept.ts'
import type { Observed } from '../../test/upgrade/observed.ts'
import { type Dump, dumpRows } from '../../test/upgrade/rows.ts'
import { openAway } from './away.ts'
import { bringTerms, keepBelongings, sendMessages } from './belongings.ts'
import { landfall } from './command.ts'
import { countContents } from './contents.ts'
import type { Customer } from './customer.ts'
import { editAll, prepareFields } from './edits.ts'
import { observeAnswers, observeKey, openSealed } from './observe.ts'
import { listAccounts, type MadeKey, openDoor, operate } from './operator.ts'
import { askForMails, bringPeople, letAppIn, type People } from './people.ts'
import { followRealLine, openRealLine, type RealLine } from './real-line.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { chooseNumbers, infer, track, trackBatch, trackOddly } from './requests.ts'
import { comeToRest, untilSandboxIs } from './rest.ts'
import { type Hook, makeHooks, recoverAll, rotate, seenOf } from './webhooks.ts'

export interface Lived extends Dump, Pick<KeptHead, 'seenAt' | 'secret' | 'settings' | 'migrations' | 'contents'> {
  readonly observed: Observed
}

type Say = (sentence: string) => void

/** 90 days take about a minute and a half. */
const sandboxSpeed = 90_000
const upWithinMs = 120_000

export async function liveThrough(say: Say): Promise<Lived> {
  const data = makeDataFolder()
  // An interrupt must leave no process running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void data.remove().finally(() => process.exit(1)))
  const ports = await freePorts()
  const receiver = await openReceiver()
  const line = await openRealLine(data.path)
  const settings = {
    LANDFALL_SANDBOX: 'on',
    LANDFALL_SANDBOX_SPEED: String(sandboxSpeed),
    LANDFALL_SIGN_UP: 'open',
    LANDFALL_REFRESH_GAP_MINUTES: '0',
    LANDFALL_RETRIES_MAX: '100',
  }
  const start = async (more: Readonly<Record<string, string>>): Promise<{ program: Program; key: string }> => {
    const env = { ...settings, LANDFALL_LOG_LEVEL: 'error', ...more }
    const program = startProgram({ dataFolder: data.path, ports, env })
    const late = AbortSignal.timeout(upWithinMs)
    const timeout = Promise.withResolvers<never>()
    late.addEventListener('abort', () => timeout.reject(new Error(`It is not up in time:\n${program.stderr()}`)))
    return { program, key: await Promise.race([program.up, timeout.promise]) }
  }
  const operator = {
    LANDFALL_DATA: data.path,
    ...settings,
    ...withoutLimits,
    LANDFALL_PORT: String(ports.api),
  }
  try {
    say('Starting Landfall on an empty folder …')
    const { program, key } = await start({})
    const cluster = await startCluster({ dataDir: data.path })
    const pool = openPool({ connection: cluster.url, connectionsMax: 2 })
    try {
      const place = { program, pool, receiver, line, say, operator }
      const lived = await inhabit(place, key)
      say(`Stopped with exit code ${await program.kill('SIGTERM')}. Starting again without workers …`)
      // With this limit most items of the next batch have to wait.
      const fiction = (await listAccounts(pool)).find(({ isSandbox }) => isSandbox)
      await landfall(operator, 'limits', 'set', fiction?.id ?? '', 'create', '8')
      // What is requested from now on waits: there is no worker and no mail server.
      const second = await start({ LANDFALL_ROLE: 'api', LANDFALL_SMTP_URL: 'smtp://127.0.0.1:9' })
      const seen = await lookFromOutside({ ...place, program: second.program }, lived)
      await second.program.kill('SIGTERM')
      say('Reading every row …')
      const secret = readFileSync(join(data.path, 'secret'), 'utf8').trim()
      const dump = await dumpRows(pool)
      const { rows } = await pool.query<{ name: string }>('select name from migrations order by id')
      return {
        ...dump,
        secret,
        seenAt: seen.seenAt,
        settings: { ...settings, ...withoutLimits, LANDFALL_PORT: String(ports.api) },
        migrations: rows.map(({ name }) => name),
        contents: await countContents(pool),
        observed: { ...seen.observed, sealed: openSealed(dump, createEncryption(secret)) },
      }
    } finally {
      await pool.end()
      await cluster.stop()
    }
  } finally {
    await receiver.close()
    await line.carrier.close()
    await data.remove()
  }
}

interface Place {
  readonly program: Program
  readonly pool: Pool
  readonly receiver: Receiver
  readonly line: RealLine
  readonly say: Say
  readonly operator: Readonly<Record<string, string>>
}

interface Inhabitants {
  readonly people: People
  readonly first: Customer
  readonly companies: readonly Customer[]
  readonly hooks: readonly Hook[]
  readonly keys: readonly MadeKey[]
}

async function inhabit(place: Place, key: string): Promise<Inhabitants> {
  const { program, pool, receiver, say, operator } = place
  const { apiUrl, sandboxUrl } = program
  const first = { apiUrl, key }
  const hooks = [...(await makeHooks(first, receiver, 'first'))]
  const { partyId } = await prepareFields(first)
  await bringTerms(first)
  const taken = new Set<string>()
  const trackMore = async (batch: string): Promise<void> => {
    const numbers = await chooseNumbers(sandboxUrl, { each: 1, taken })
    say(`${numbers.length} numbers of the sandbox are tracked.`)
    await infer(
      first,
      numbers.slice(0, 6).map(({ number }) => number),
    )
    await track(first, numbers, { partyId, batch })
  }
  await trackMore('early')
  await trackOddly(first, 'ONEY')
  say('People come in …')
  const people = await bringPeople(openAway(apiUrl, key))
  say('The operator makes keys, sets limits, enables a line and teaches the inference …')
  const keys = await operate(pool, operator)
  const companies = keys.filter(({ about }) => about.startsWith('of ')).map((of) => ({ apiUrl, key: of.key }))
  const [kestrel] = companies
  if (kestrel === undefined) throw new Error('No company signed up.')
  hooks.push(...(await makeHooks(kestrel, receiver, 'kestrel')))
  await untilSandboxIs(sandboxUrl, 0.35)
  await trackMore('middle')
  await editAll(first, 0)
  say('A company follows its journeys at a real line, look by look …')
  await prepareFields(kestrel)
  await bringTerms(kestrel)
  await followRealLine(kestrel, place.line, { rest: () => comeToRest(pool, { sandboxUrl: null }) })
  await editAll(kestrel, 0)
  const owner = (await listAccounts(pool)).find(({ isSandbox }) => !isSandbox)
  await sendMessages(kestrel, await openDoor(operator, owner?.id ?? ''))
  await untilSandboxIs(sandboxUrl, 0.7)
  await trackMore('late')
  await editAll(first, 1)
  await editAll(kestrel, 1)
  const rotated = await Promise.all(
    hooks.map((hook) =>
      hook.path.startsWith('/rotated') ? rotate({ apiUrl, key: hook.key }, hook) : Promise.resolve(hook),
    ),
  )
  for (const customer of [first, kestrel]) {
    await keepBelongings(customer, { alertUrl: receiver.url('/alerts') })
  }
  say('The sandbox catches up …')
  await untilSandboxIs(sandboxUrl, 1)
  await trackBatch(first, await chooseNumbers(sandboxUrl, { each: 1, taken }))
  await trackOddly(first, 'YMLU')
  await comeToRest(pool, { sandboxUrl })
  return { people, first, companies, hooks: rotated, keys: [{ key, about: 'the first one' }, ...keys] }
}

async function lookFromOutside(
  { program, receiver, say }: Place,
  { people, first, companies, hooks, keys }: Inhabitants,
): Promise<{ readonly seenAt: string; readonly observed: Omit<Observed, 'sealed'> }> {
  const { apiUrl } = program
  const away = openAway(apiUrl, first.key)
  const app = await letAppIn(away, people.ada, `${apiUrl}/v2`)
  await askForMails(away, people.ada)
  await trackOddly(first, 'HLCU')
  await editAll(first, 2)
  await recoverAll(first, hooks)
  await trackBatch(first, await chooseNumbers(program.sandboxUrl, { each: 1, taken: new Set() }))
  say('Looking at it from outside …')
  const seenAt = new Date().toISOString()
  const customers = [first, ...companies]
  const answers = []
  for (const customer of customers) answers.push(...(await observeAnswers(customer)))
  const seenKeys = []
  for (const { key, about } of keys) seenKeys.push(await observeKey({ apiUrl, key }, about))
  return {
    seenAt,
    observed: {
      keys: seenKeys,
      answers,
      webhooks: seenOf(hooks, receiver),
      people: people.seen,
      apps: [app],
    },
  }
}
