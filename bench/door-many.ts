/** Deliveries of very many parts: what a part costs as their number grows, and how long another account waits meanwhile. */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createApiKey } from '../src/modules/api-keys/create-api-key.ts'
import { createChannel } from '../src/modules/channels/channels.ts'
import { boxNumber, manyX12, shipOfBoxes } from './edi-load.ts'
import type { Installation } from './installation.ts'
import { type Figure, percentile, progress } from './measure.ts'

const counts = [1_000, 10_000, 100_000] as const
const idleLooks = 300
const languages: Readonly<Record<string, (parts: number) => Buffer>> = {
  statements: (parts) =>
    Buffer.from(
      JSON.stringify(
        Array.from({ length: parts }, (_, nth) => ({
          id: `many-${nth}`,
          container: boxNumber(nth),
          says: 'vessel_discharged',
          at: '2026-03-08T10:00:00-08:00',
          place: 'USLAX',
        })),
      ),
    ),
  x12: manyX12,
  edifact: shipOfBoxes,
}

interface Sent {
  readonly parts: number
  readonly msOfPart: number
  readonly bodyMb: number
  readonly answerBytes: number
  readonly memoryMb: number
  readonly waits: readonly number[]
}

export async function benchManyParts(installation: Installation, app: FastifyInstance): Promise<readonly Figure[]> {
  const { service, newAccount, postgres } = installation
  const { account } = await newAccount()
  const other = await newAccount()
  const scopes = ['read', 'write'] as const
  const { key: otherKey } = await createApiKey(service, {
    accountId: other.account.id,
    name: 'Bench',
    scopes,
  })
  const look = async (): Promise<number> => {
    const startedAt = performance.now()
    const headers = { authorization: `Token ${otherKey}` }
    const { statusCode } = await app.inject({ url: '/v2/shipments', headers })
    if (statusCode !== 200) throw new Error(`the other account was answered ${statusCode}`)
    return performance.now() - startedAt
  }
  const idle: number[] = []
  for (let nth = 0; nth < idleLooks; nth += 1) idle.push(await look())
  const figures: Figure[] = []
  for (const [language, write] of Object.entries(languages)) {
    const all: Sent[] = []
    for (const parts of [100, ...counts]) {
      const name = `many-${language}-${parts}`
      const { key } = await createChannel(service, {
        name,
        account: { id: account.id, isSandbox: account.isSandbox },
        speaker: { kind: 'terminal', code: 'Y258' },
        source: language,
        profile: {},
        isFirstHand: true,
        keyKind: 'bearer',
      })
      const sent = await sendMany(app, { name, key, body: write(parts), parts, look })
      progress(
        `door: ${parts} parts in ${language}: ${sent.msOfPart.toFixed(3)} ms a part, ${sent.bodyMb.toFixed(1)} MB, memory +${sent.memoryMb.toFixed(0)} MB, other p99 ${percentile(sent.waits, 0.99).toFixed(0)} ms`,
      )
      // The first delivery starts the thread.
      if (parts >= counts[0]) all.push(sent)
    }
    figures.push(...figuresOf(language, all, idle, postgres))
  }
  return figures
}

async function sendMany(
  app: FastifyInstance,
  of: {
    readonly name: string
    readonly key: string
    readonly body: Buffer
    readonly parts: number
    readonly look: () => Promise<number>
  },
): Promise<Sent> {
  const { name, key, body, parts, look } = of
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  let isOver = false
  const watching = (async () => {
    const waits: number[] = []
    while (!isOver) {
      waits.push(await look())
      peak = Math.max(peak, process.memoryUsage.rss())
      await pause(10)
    }
    return waits
  })()
  const startedAt = performance.now()
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: `/v2/inbound/${name}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    payload: body,
  })
  const tookMs = performance.now() - startedAt
  isOver = true
  const waits = await watching
  const { counts: taken } = JSON.parse(payload) as { readonly counts?: { readonly accepted: number } }
  if (statusCode !== 202 || taken?.accepted !== parts) throw new Error(`${statusCode}: ${payload.slice(0, 500)}`)
  return {
    parts,
    msOfPart: tookMs / parts,
    bodyMb: body.length / 1e6,
    answerBytes: payload.length,
    memoryMb: (peak - before) / 1e6,
    waits,
  }
}

function figuresOf(
  language: string,
  all: readonly Sent[],
  idle: readonly number[],
  postgres: string,
): readonly Figure[] {
  const [few, many] = [all[0], all.at(-1)]
  if (few === undefined || many === undefined) throw new Error('nothing was sent')
  const common = { bench: 'door', limit: null, ratio: null, postgres } as const
  const growth = many.msOfPart / few.msOfPart
  const idleP99 = percentile(idle, 0.99)
  const waited = Math.max(...all.map(({ waits }) => percentile(waits, 0.99))) - idleP99
  const each = all.map(({ parts, msOfPart }) => `${parts.toLocaleString('en-US')}: ${msOfPart.toFixed(3)} ms`)
  const memory = all.map(({ bodyMb, memoryMb }) => `${memoryMb.toFixed(0)} MB for ${bodyMb.toFixed(1)} MB`)
  return [
    {
      ...common,
      what: `A part of ${language} at 100,000 parts in one delivery, against a part at 1,000`,
      unit: 'times the time',
      figure: growth,
      aim: 'at most 1.3',
      isMet: growth <= 1.3,
      note: `a part at ${each.join(', at ')}; memory ${memory.join(', ')}; the longest answer ${Math.max(...all.map(({ answerBytes }) => answerBytes))} bytes`,
    },
    {
      ...common,
      what: `99th percentile of the waits of another account for its list meanwhile, above idle (${language})`,
      unit: 'ms',
      figure: waited,
      aim: 'at most 100 ms',
      isMet: waited <= 100,
      note: `${idleP99.toFixed(1)} ms idle; ${all.map(({ waits }) => waits.length).join(', ')} lists beside the deliveries`,
    },
  ]
}
