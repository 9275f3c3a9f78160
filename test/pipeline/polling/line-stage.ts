/** A line's interface on loopback over real HTTP, an operator's access to it, and a number that it knows. */

import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { findLineAccess } from '../../../src/connectors/line-access.ts'
import type { NumberKind } from '../../../src/connectors/source.ts'
import { membersOf } from '../../../src/domain/values/json-value.ts'
import { putCredential } from '../../../src/modules/accounts/accounts-sql.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { answerWith, asked as askedOfCosco, content } from '../../connectors/cosco/answer.ts'
import { readLineStories } from '../../connectors/dcsa/line-story.ts'
import { type Asked, startLine } from '../../connectors/line-server.ts'
import { openStage, type Stage } from '../../support/tracking-harness.ts'
import { type LineInterface, lineInterfaces } from './line-interfaces.ts'

export interface Answer {
  readonly status?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface LineStage extends Stage {
  readonly line: LineInterface
  /** Of the number. */
  readonly kind: NumberKind
  /** An answer of the line about the number, as its story has it. */
  readonly good: string
  /** The same about another number of that kind, which nobody requested. */
  readonly foreign: string
  /** Sets the answer to a correct question; null: the answer of its story. */
  readonly answers: (answer: Answer | null) => void
  /** Questions about the number, without those for a token. */
  readonly questions: () => readonly Asked[]
  /** The id of a new tracking request of that number. */
  readonly trackIt: () => Promise<string>
  /** How the last poll ended, and the issues that it raised. */
  readonly lastLook: () => Promise<{ readonly outcome: string; readonly issues: readonly string[] }>
  /** The operator sets the access again, with other secrets if they are given. */
  readonly giveSecrets: (secrets: Readonly<Record<string, string>>) => Promise<void>
}

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

const stories = readLineStories()

/** The story of a line, with a number of it by which the line can be tracked. */
function storyOf(scac: string) {
  if (scac === askedOfCosco.scac)
    return { asks: { kind: askedOfCosco.kind, number: askedOfCosco.number }, answer: answerWith(content) }
  const story = stories.find((each) => each.scac === scac && each.variant === '')
  if (story === undefined) throw new Error(`${scac} has no story`)
  const box = /"equipmentReference": *"([A-Z]{4}\d{7})"/.exec(story.answer.toString())?.[1]
  const asks = scac === 'EGLV' && box !== undefined ? ({ kind: 'container', number: box } as const) : story.asks
  return { asks, answer: story.answer }
}

export async function openLineStage(t: TestContext, line: LineInterface): Promise<LineStage> {
  const { scac } = line
  const { asks, answer } = storyOf(scac)
  const good = answer.toString()
  const bare = asks.kind !== 'container' && asks.number.startsWith(scac) ? asks.number.slice(4) : asks.number
  const stage = await openStage(t, { startAt: '2026-03-01T00:00:00Z' })
  let now: Answer | null = null
  let tokens = 0
  const server = await startLine((asked, response) => {
    const { grants } = line
    if (grants !== undefined && asked.url.pathname === grants.path) {
      if (!grants.accepts(asked)) return send(response, { status: 401, body: '{"error":"invalid_client"}' })
      tokens += 1
      return send(response, { body: JSON.stringify({ access_token: `T-${tokens}`, expires_in: 600 }) })
    }
    if (!line.path.test(asked.url.pathname)) return send(response, { status: 404, body: '{}' })
    const refusal = line.refusal(asked, `T-${tokens}`)
    if (refusal !== null) return send(response, { status: refusal.status, body: JSON.stringify(refusal.json) })
    return send(response, now ?? { body: good })
  })
  t.after(() => server.close())
  const { source, profile } = accessAt(scac, server.base)
  const giveSecrets: LineStage['giveSecrets'] = async (secrets) => {
    await putCredential(stage.service.pool, {
      id: uuidV7(stage.clock.now()),
      accountId: null,
      scac,
      source,
      profile,
      encryptedSecret: stage.service.encryption.encrypt(JSON.stringify(secrets)),
      isSandbox: false,
      createdAt: new Date(stage.clock.now()).toISOString(),
    })
  }
  await giveSecrets(line.secrets)
  return {
    ...stage,
    line,
    kind: asks.kind,
    good,
    foreign: good.replaceAll(bare, asks.kind === 'container' ? 'CSQU3054383' : otherDigits(bare)),
    giveSecrets,
    answers: (next) => {
      now = next
    },
    questions: () => server.asked.filter(({ url }) => line.path.test(url.pathname)),
    lastLook: async () => {
      const look = await stage.row<{ outcome: string; startedAt: string }>(
        `select outcome, started_at as "startedAt" from looks order by ended_at desc, id desc limit 1`,
      )
      const issues = await stage.rows<{ kind: string }>(
        `select distinct kind from issues where last_at >= $1 and lost <> 'nothing' order by kind`,
        [look.startedAt],
      )
      return { outcome: look.outcome, issues: issues.map(({ kind }) => kind) }
    },
    trackIt: () => stage.track(asks.number, { type: requestTypes[asks.kind], scac }),
  }
}

/** Landfall's profile, with the line at `base` and the values of an operator. */
export function accessAt(scac: string, base: string) {
  const access = findLineAccess(scac)
  const sets = lineInterfaces.find((each) => each.scac === scac)?.sets
  if (access === null) throw new Error(`${scac} cannot be asked`)
  const shipped: unknown = JSON.parse(JSON.stringify(access.profile).replaceAll(/https:\/\/[a-z0-9.-]+/g, base))
  return { source: access.source, profile: { ...membersOf(shipped), ...sets?.(base), rate: {} } }
}

function otherDigits(number: string): string {
  return number.replace(/\d/g, (digit) => String(9 - Number(digit)))
}

function send(response: ServerResponse, { status = 200, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
