/** Lists of a thousand rows: the first rows take little work of the processor, nothing moves, and scrolling reads the others. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { layoutShift, openAppPage } from '../../support/app-page.ts'
import { eventually } from '../../support/eventually.ts'
import type { Tenant, World } from './world.ts'

const rowsCount = 1_000
/** The first rows may take as much work of the processor as building so many tables of all rows by hand. */
const tablesMax = 3
const shiftMax = 0.02
const runsMax = 5

export function testSpeed(world: World): void {
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    const { shipmentId, containerId } = await tenant.track('MSCUROUTE0000005')
    await copyRows(world, 'shipments', shipmentId)
    await copyRows(world, 'containers', containerId)
  })

  for (const [name, path] of [
    ['Shipments', '/shipments'],
    ['Containers', '/containers'],
  ] as const)
    test(`${name.toLowerCase()}, a thousand of them, are shown with little work, and nothing moves`, async () => {
      const { page, faults, close } = await openAppPage(world.browser)
      await page.goto(`${world.url}/track#key=${tenant.key}`)
      await page.getByRole('button', { name: 'Read the numbers' }).waitFor()
      const readWork = await openWorkMeter(page)
      const ratios: number[] = []
      while (ratios.length < runsMax && !(Math.min(...ratios) <= tablesMax)) {
        await page.goto(`${world.url}${path}`)
        await page.locator('td .number').nth(8).waitFor()
        const listSeconds = await readWork()
        await buildTable(page)
        ratios.push(listSeconds / ((await readWork()) - listSeconds))
      }
      assert.ok(
        Math.min(...ratios) <= tablesMax,
        `the list takes the work of ${ratios.map((each) => each.toFixed(1)).join(', ')} tables`,
      )
      const { sum: shift } = await layoutShift(page)
      assert.ok(shift <= shiftMax, `the page has moved by ${shift}`)
      assert.match((await page.locator('.list-head').textContent()) ?? '', /1,000/)
      const region = page.getByRole('region', { name })
      const scroll = async (): Promise<boolean> => {
        await region.evaluate((element) => {
          element.scrollTop = element.scrollHeight
        })
        return (await region.locator('table').getAttribute('aria-rowcount')) === String(rowsCount + 1)
      }
      await eventually(scroll, { late: () => 'the last row is never reached' })
      assert.ok((await page.locator('tbody tr').count()) < 60, 'only the rows in view are drawn')
      assert.deepEqual(faults, [])
      await close()
    })
}

/**
 * Reads the seconds of the processor that the page's main thread has taken since the page was opened: what other
 * programs do on the same processors does not count.
 */
async function openWorkMeter(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
}

/** The same row under other numbers. */
async function copyRows({ api }: World, table: 'shipments' | 'containers', id: string): Promise<void> {
  const { rows } = await api.service.pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  )
  const names = rows.map(({ column_name: name }) => name)
  const values = names.map((name) => {
    if (name === 'id') return 'gen_random_uuid()'
    // Another cargo each: one that has two numbers is listed once.
    if (name === 'projection' && table === 'shipments')
      return `projection || jsonb_build_object('billOfLadingNumber', 'COPY' || n, 'bookingNumber', null)`
    return /number$|^bill/.test(name) && name !== 'pod_voyage_number' ? `'COPY' || n` : name
  })
  await api.service.pool.query(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
     from ${table}, generate_series(1, ${rowsCount - 1}) n where id = $1`,
    [id],
  )
}

/** What a table of all rows takes when it is written by hand: the measure for the list. */
function buildTable(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const rows = JSON.parse(JSON.stringify(Array.from({ length: ${rowsCount} }, (_, n) => ({ id: 'row ' + n, cells: ['a', 'b', 'c', 'd'] }))))
    const table = document.createElement('table')
    table.innerHTML = rows.map(({ id, cells }) => '<tr><th>' + id + '</th>' + cells.map((each) => '<td>' + each + '</td>').join('') + '</tr>').join('')
    document.body.append(table)
    table.getBoundingClientRect()
    table.remove()
  })()`)
}
