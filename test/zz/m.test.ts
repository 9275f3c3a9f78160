import { test } from 'node:test'
import { readdirSync, readFileSync } from 'node:fs'
import { openTestService } from '../support/service.ts'
import { openTestDatabase } from '../support/database.ts'
function pgCpu(): number {
  let s = 0
  for (const p of readdirSync('/proc')) { if (!/^\d+$/.test(p)) continue
    try { const c = readFileSync(`/proc/${p}/stat`, 'utf8'); if (!c.includes('(postgres)')) continue
      const f = c.slice(c.lastIndexOf(')') + 2).split(' '); const isMain = !readFileSync(`/proc/${p}/cmdline`,'utf8').startsWith('postgres:')
      s += Number(f[11]) + Number(f[12]) + (isMain ? Number(f[13]) + Number(f[14]) : 0) } catch {} }
  return s * 10
}
async function m(name: string, w: () => Promise<void>) { const a = pgCpu(), n = process.cpuUsage(), t = performance.now(); await w(); const u = process.cpuUsage(n)
  console.log(`MM ${name}: pg ${pgCpu() - a} ms, node ${Math.round((u.user + u.system) / 1000)} ms, wall ${Math.round(performance.now() - t)}`) }
test('m', async () => {
  const w = await openTestService({}); await w.drain(); await w.close()
  await m('10 databases open+close', async () => { for (let i = 0; i < 10; i++) { const d = await openTestDatabase(); await d.close() } })
  await m('10 services open+close', async () => { for (let i = 0; i < 10; i++) { const d = await openTestService({}); await d.service.pool.query('select 1'); await d.close() } })
  await m('10 services open+drain+close', async () => { for (let i = 0; i < 10; i++) { const d = await openTestService({}); await d.drain(); await d.close() } })
  const d = await openTestService({})
  await m('first drain', () => d.drain())
  await m('second drain', () => d.drain())
  await m('20 drains', async () => { for (let i = 0; i < 20; i++) await d.drain() })
  await d.close()
})
