/**
 * How long `POST /v2/tracking_requests/infer_number` takes under load, for an account with thousands of learned
 * numbers. Compared with an empty route of the same API: same key, same body, same process.
 */

import { containerCheckDigit } from '../src/domain/values/identifiers.ts'
import { createApiKey } from '../src/modules/api-keys/create-api-key.ts'
import { importLabels } from '../src/modules/inference/import-labels.ts'
import { createApiApp } from '../src/server/app.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Figure, median, percentile, progress, seededChance } from './measure.ts'
import { runProgram } from './program.ts'

const taught = 5_000
const rounds = 5
const load = { perSecond: 400, seconds: 3 }
const owners = ['TCNU', 'TEMU', 'MSKU', 'MEDU', 'CAIU', 'OOLU']
const lines = ['MSCU', 'MAEU', 'CMDU', 'HLCU', 'ONEY']
const empty = '/v2/empty'
const inferring = '/v2/tracking_requests/infer_number'

export async function benchInfer(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    return [await measure(installation)]
  } finally {
    await installation.close()
  }
}

async function measure({ service, newAccount, postgres }: Installation): Promise<Figure> {
  const context = await newAccount()
  const chance = seededChance(20261120)
  const numbers = Array.from({ length: taught }, () => {
    const owner = owners[Math.floor(chance() * owners.length)] ?? ''
    const ten = `${owner}${String(Math.floor(chance() * 1_000_000)).padStart(6, '0')}`
    return `${ten}${containerCheckDigit(ten)}`
  })
  const rows = numbers.map((number, row) => `${number},container,${lines[row % lines.length]},BILL${row}`)
  const bytes = Buffer.from(['number,number_type,scac,group', ...rows].join('\n'))
  await importLabels(service, context, { bytes, progress: () => {} })
  const account = { accountId: context.account.id, name: 'Benchmark', scopes: ['read'] } as const
  const { key } = await createApiKey(service, account)
  const app = await createApiApp(service)
  app.post(empty, async () => '{}')
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    // Every second number was never learned.
    const asked = numbers.map((number, row) =>
      row % 2 === 0 ? number : `${number.slice(0, 4)}${String(row).padStart(6, '0')}`,
    )
    const ask = async (path: string): Promise<readonly number[]> => {
      const order = { ...load, port: Number(new URL(url).port), key, path, numbers: asked }
      const program = new URL('./infer-load.ts', import.meta.url)
      return (await runProgram<{ readonly delays: readonly number[] }>(program, order)).delays
    }
    await ask(empty)
    await ask(inferring)
    const p99 = { ours: [] as number[], limit: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      p99.limit.push(percentile(await ask(empty), 0.99))
      p99.ours.push(percentile(await ask(inferring), 0.99))
      progress(
        `infer: round ${round + 1} of ${rounds}: p99 ${p99.ours.at(-1)?.toFixed(2)} ms, empty ${p99.limit.at(-1)?.toFixed(2)} ms`,
      )
    }
    const [figure, value] = [median(p99.ours), median(p99.limit)]
    return {
      bench: 'infer',
      what: 'p99 of POST /v2/tracking_requests/infer_number',
      unit: 'ms',
      figure,
      limit: { what: 'an empty route behind the same door', value },
      ratio: null,
      aim: 'at most 5 ms above the empty route',
      isMet: figure - value <= 5,
      note: `${rounds} rounds of ${load.seconds} s at ${load.perSecond} requests/s from another process; ${taught} outcomes of the account`,
      postgres,
    }
  } finally {
    await app.close()
  }
}
