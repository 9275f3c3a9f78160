/**
 * Closes the loop: one account tracks shipments of the sandbox, whose lines, terminals and railways speak what they
 * speak. A second account asks nobody but our own DCSA outlet for the same numbers, and reads it with our own source.
 * The moves of each box must be the same in both.
 */

import { LINES } from '../../sandbox/lines.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { World } from '../../sandbox/world.ts'
import { standardProfile } from '../../src/connectors/dcsa/profile.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { movedNames } from '../../src/domain/milestones/standard-move.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { putCredential } from '../../src/modules/accounts/accounts-sql.ts'
import { installSandboxFacilities } from '../../src/modules/installation/sandbox-facilities.ts'
import { installSandboxPartners } from '../../src/modules/installation/sandbox-partners.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { freePorts } from '../../test/e2e/program.ts'
import { openTestApi, type TestApi } from '../../test/support/api.ts'
import { giveAccess } from '../../test/support/service.ts'
import { withoutLimits } from '../../test/support/without-limits.ts'
import { workOff } from '../../test/support/work-off.ts'
import { chooseQuestions } from '../sandbox/questions.ts'

export interface Closed {
  readonly shipments: number
  readonly boxes: number
  /** Moves that are equal in both accounts. */
  readonly moves: number
  /** Moves of the first account that the standard cannot say, by why. */
  readonly unsayable: Readonly<Record<string, number>>
  /** What one of the two has and the other has not. */
  readonly differences: readonly string[]
}

const epochMs = Date.parse('2026-01-01T00:00:00Z')
const fromMs = epochMs + 30 * DAY

export async function closeLoop(of: {
  readonly journeys: number
  readonly seed: number
  /** How many days pass, and how many at a step. */
  readonly days: number
  readonly stepDays: number
  readonly say: (sentence: string) => void
}): Promise<Closed> {
  let worldMs = fromMs
  const sandbox = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed: of.seed,
    epoch: epochMs,
    now: () => worldMs,
  })
  const { api: port } = await freePorts()
  const api = await openTestApi({
    startAt: new Date(fromMs).toISOString(),
    env: { LANDFALL_PORT: String(port), LANDFALL_POOL_MAX: '32', ...withoutLimits },
  })
  try {
    await api.app.listen({ host: '127.0.0.1', port })
    for (const { scac } of LINES)
      await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
    const first = await open(api)
    const played = { url: sandbox.url, accountId: first.context.account.id }
    await installSandboxFacilities(api.service, played)
    await installSandboxPartners(api.service, played)
    const { shipments, questions } = chooseQuestions(new World(of.seed, epochMs), { ...of, fromMs })
    const asked = questions.slice(0, shipments.length)
    for (const question of asked) await track(api, first, question)
    for (let day = 0; day <= of.days; day += of.stepDays) {
      worldMs = fromMs + day * DAY
      api.clock.set(worldMs)
      await sandbox.tellSubscribers()
      await sandbox.tellPartners()
      await workOff(api)
      of.say(`day ${day}`)
    }
    const second = await open(api)
    for (const scac of new Set(asked.map(({ scac: each }) => each ?? '')))
      await askOutlet(api, { scac, port, reader: second, outletKey: first.key })
    for (const question of asked) await track(api, second, question)
    await workOff(api)
    of.say('read by the second account')
    // Who asks by a container number is told of this box only, though its bill may have more.
    const asBoxes = new Set(asked.map(({ request_number: number }) => number))
    const isToldWhole = new Map(
      shipments.flatMap(({ boxes }, index) =>
        boxes.map(({ number }) => [number, asked[index]?.request_type !== 'container'] as const),
      ),
    )
    const isAsked = (number: string): boolean => asBoxes.has(number) || isToldWhole.get(number) === true
    const told = await journeysOf(api, first)
    return compare({
      first: new Map([...told].filter(([number]) => isAsked(number))),
      second: await journeysOf(api, second),
      shipments: shipments.length,
    })
  } finally {
    await api.close()
    await sandbox.close()
  }
}

interface Opened {
  readonly context: Context
  readonly key: string
}

async function open(api: TestApi): Promise<Opened> {
  const context = await api.newAccount({ isSandbox: true })
  return { context, key: await api.newKey(context, ['read', 'write']) }
}

async function track(api: TestApi, { key }: Opened, attributes: object): Promise<void> {
  const body = { data: { type: 'tracking_request', attributes } }
  const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
  if (answer.status !== 201) throw new Error(`${JSON.stringify(attributes)}: ${answer.text}`)
}

/** The second account's own access to the carrier: our outlet, with the key of the first account. */
async function askOutlet(
  { service, clock }: TestApi,
  of: { readonly scac: string; readonly port: number; readonly reader: Opened; readonly outletKey: string },
): Promise<void> {
  await putCredential(service.pool, {
    id: uuidV7(clock.now()),
    accountId: of.reader.context.account.id,
    scac: of.scac,
    source: 'dcsa',
    profile: {
      ...standardProfile,
      scac: of.scac,
      base: `http://127.0.0.1:${of.port}`,
      path: '/dcsa/v2/events',
      auth: { keyHeaders: { authorization: 'apiKey' }, oauth: null },
      rate: {},
    },
    encryptedSecret: service.encryption.encrypt(JSON.stringify({ apiKey: `Token ${of.outletKey}` })),
    isSandbox: true,
    createdAt: new Date(clock.now()).toISOString(),
  })
}

/** A move as it is told of a box. */
interface Told {
  readonly event: string
  /** Null for a time that the standard cannot say: a day, or a wall clock of an unknown zone. */
  readonly at: string | null
  readonly said: string
}
type Journeys = ReadonlyMap<string, readonly Told[]>

async function journeysOf({ service }: TestApi, { context }: Opened): Promise<Journeys> {
  const { rows } = await service.pool.query<{ number: string } & Told>(
    `select c.number, replace(t.event, 'container.transport.', '') as event,
            case when t.milestone #>> '{time,kind}' = 'instant'
                   or t.milestone #>> '{time,kind}' = 'local' and t.time_zone is not null
                 then date_trunc('second', t.occurs_at)::text end as at,
            concat_ws(' ', t.unlocode, t.vessel_imo, t.voyage_number) as said
       from containers c
       left join transport_events t on t.account_id = c.account_id and t.container_id = c.id
        and t.invalidated_at is null and t.milestone is not null
      where c.account_id = $1 order by c.number, t.occurs_at, t.id`,
    [context.account.id],
  )
  const byNumber = Map.groupBy(rows, ({ number }) => number)
  return new Map([...byNumber].map(([number, told]) => [number, told.filter(({ event }) => event !== null)]))
}

function compare({
  first,
  second,
  shipments,
}: {
  readonly first: Journeys
  readonly second: Journeys
  readonly shipments: number
}): Closed {
  const differences: string[] = []
  const unsayable: Record<string, number> = {}
  const note = (why: string): void => {
    unsayable[why] = (unsayable[why] ?? 0) + 1
  }
  let moves = 0
  for (const [number, told] of first) {
    const wanted = new Set<string>()
    for (const each of told) {
      if (!names.has(each.event.split('.').at(-1) ?? '')) note(`${each.event}: no code`)
      else if (isToldByItsTrain(each)) note(`${each.event}: told as the arrival of its train or barge`)
      else if (each.at === null) note(`${each.event}: a time without hour or zone`)
      else wanted.add(writeTold(each))
    }
    const has = new Set((second.get(number) ?? []).filter((each) => !isToldByItsTrain(each)).map(writeTold))
    for (const move of wanted) {
      if (has.has(move)) moves += 1
      else differences.push(`${number} is not read: ${move}`)
    }
    for (const move of has) if (!wanted.has(move)) differences.push(`${number} is read only: ${move}`)
  }
  return { shipments, boxes: first.size, moves, unsayable, differences }
}

const names = new Set<string>(movedNames)

/** That the way ends there was said by a document, of which a move says nothing. */
function isToldByItsTrain({ event }: Told): boolean {
  return event === 'arrived_at_inland_destination'
}

function writeTold({ event, at, said }: Told): string {
  return `${event} ${at} ${said}`
}
