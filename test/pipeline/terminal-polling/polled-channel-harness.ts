// What the tests of polled channels share: a line that publishes arrival notices over real HTTP, and a channel that
// polls it.
import type { TestContext } from 'node:test'
import type { NewChannel } from '../../../src/modules/channels/channels.ts'
import { notice } from '../../connectors/arrival-notice/notices.ts'
import { type Asked, type LineServer, sendJson, startLine } from '../../connectors/line-server.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from '../ingestion/ingestion-harness.ts'

export const bill = 'HLCUSHA260100077'
export const otherBill = 'HLCUSHA260100088'
export const secret = 'PIN-4711-SECRET'
export const apiKey = 'KEY-s3cret-of-the-operator'

export type Answer = Parameters<typeof startLine>[0]

export interface AskingStage extends IntakeStage {
  readonly publisher: LineServer & { answers: (answer: Answer) => void }
  /** A channel of the account that polls the publisher; `profile` changes how. */
  readonly openAsked: (
    of?: Partial<NewChannel> & { readonly how?: Readonly<Record<string, unknown>> } & Parameters<
        IntakeStage['open']
      >[0],
  ) => Promise<string>
  /** The bills of each question so far. */
  readonly questions: () => readonly (string | null)[]
  readonly numbers: () => Promise<readonly NumberSeen[]>
}

export interface NumberSeen {
  readonly number: string
  readonly failures: number
  /** Until its next poll. */
  readonly hours: number
}

export function noticeOf(of: string, changes: Readonly<Record<string, unknown>> = {}) {
  return notice({
    transportDocumentReference: of,
    pickupInformation: { pickupNumber: secret },
    charges: [{ chargeName: 'Demurrage', chargeCode: 'DEM', currencyAmount: 99, currencyCode: 'USD' }],
    utilizedTransportEquipments: [{ equipment: { equipmentReference: box, ISOEquipmentCode: '45G1' } }],
    consignmentItems: [],
    ...changes,
  })
}

/** Answers every question with these notices. */
export function tells(...notices: readonly unknown[]): Answer {
  return (_, response) => sendJson(response, { arrivalNotices: notices })
}

export function answers(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
}

/** A bill at sea that the account tracks, and a line that has no notice yet. */
export async function openAsking(
  t: TestContext,
  options: Parameters<typeof openIntake>[1] & { readonly upTo?: Parameters<typeof journey>[1] } = {},
): Promise<AskingStage> {
  const { upTo = 'sailed', ...rest } = options
  const stage = await openIntake(t, rest)
  let answer: Answer = tells()
  const publisher = await startLine((asked: Asked, response) => answer(asked, response))
  t.after(() => publisher.close())
  stage.carrier.answers({ json: journey(bill, upTo) }, bill)
  return {
    ...stage,
    publisher: {
      ...publisher,
      answers: (next) => {
        answer = next
      },
    },
    openAsked: ({ how = {}, ...of } = {}) =>
      stage.open({
        name: 'notices',
        source: 'arrival_notice',
        profile: { scac: 'HLCU' },
        pollConfig: {
          profile: {
            base: publisher.base,
            auth: { keyHeaders: { 'x-api-key': 'apiKey' }, oauth: null },
            rate: {},
            ...how,
          },
          secrets: { apiKey },
        },
        ...of,
      }),
    questions: () => publisher.asked.map(({ url }) => url.searchParams.get('transportDocumentReferences')),
    numbers: () =>
      stage.rows<NumberSeen>(
        `select number, failures, round((extract(epoch from next_ask_at) - $1) / 3600, 1)::float8 as hours
           from asked_numbers order by number`,
        [stage.clock.now() / 1_000],
      ),
  }
}

/** Active facts of the account. */
export async function standing(stage: AskingStage, as = stage.account): Promise<readonly string[]> {
  const rows = await stage.rows<{ fact: string }>(
    `select distinct observation ->> 'fact' as fact from claims
      where account_id = $1 and retired_at is null and observation ->> 'fact' = any($2) order by fact`,
    [as.account.id, ['pickup_number', 'fee', 'pickup_lfd_line', 'general_order_at', 'hold']],
  )
  return rows.map(({ fact }) => fact)
}

export async function lfdOf(stage: AskingStage, as = stage.account): Promise<string | null> {
  const { lfd } = await stage.row<{ lfd: string | null }>(
    `select projection #>> '{freeTime,line,on}' as lfd from containers where account_id = $1`,
    [as.account.id],
  )
  return lfd
}
