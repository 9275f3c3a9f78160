/** Sends a message to an account through a channel of its own. */

import type { Context } from '../../src/modules/access/context.ts'
import { createChannel } from '../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../src/pipeline/ingestion/ingest-delivery.ts'
import type { TestApi } from './api.ts'

/** A message about the account's own box, from a terminal that uses X12 and wants an answer. */
export async function sendTo(
  { service }: TestApi,
  { account: { id, isSandbox } }: Context,
  { number, word }: { readonly number: string; readonly word: string },
): Promise<Record<'inbound' | 'channel' | 'channelKey' | 'source', string>> {
  const { channel, key } = await createChannel(service, {
    name: `pier-${word.toLowerCase()}`,
    account: { id, isSandbox },
    speaker: { kind: 'terminal', code: 'Y258' },
    source: 'x12',
    profile: { codes: { ZZZ: 'note' } },
    isFirstHand: true,
    acknowledges: '997',
    keyKind: 'bearer',
  })
  const status = `ST*315*0001~B4***CT*20260117*0900**${number.slice(0, 4)}*${number.slice(4, 10)}*L*45R1*LOS ANGELES*UN*${number.slice(10)}~SE*3*0001~`
  const body = Buffer.from(
    `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260117*1200*U*00401*000000007*0*P*>~GS*QO*PIER*LANDFALL*20260117*1200*7*X*004010~${status}GE*1*7~IEA*1*000000007~`,
  )
  const delivery = { body, contentType: 'application/edi-x12', idempotencyKey: null }
  const { messageId } = await ingestDelivery(service, channel, delivery)
  return { inbound: messageId, channel: channel.name, channelKey: key, source: channel.id }
}
