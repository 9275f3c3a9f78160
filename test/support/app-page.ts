/** A page of the portal's app in a browser, with everything noted that must not happen on it. */

import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'

export interface AppPage {
  readonly page: Page
  /** Errors on the console (a breach of the content policy is one), exceptions, and answers of 400 and above. */
  readonly faults: string[]
  readonly close: () => Promise<void>
}

/** A wait ends as soon as it can; see `eventually`. Playwright's own 30 seconds are too short on a crowded machine. */
const patienceMs = 120_000

export async function openAppPage(browser: Browser, options: BrowserContextOptions = {}): Promise<AppPage> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`)
  })
  return { page, faults, close: () => context.close() }
}

/** Waits until nothing of the page says that it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.getByText('Reading …').first().waitFor({ state: 'hidden' })
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Everything that axe finds, of every rule. */
export function assertAccessible(page: Page | Frame, what: string): Promise<void> {
  return assertKeeps(page, what, {})
}

/** What axe finds of colours alone: enough for another theme of a page that `assertAccessible` has looked at. */
export function assertContrast(page: Page | Frame, what: string): Promise<void> {
  return assertKeeps(page, what, { runOnly: ['color-contrast', 'link-in-text-block'] })
}

/** Axe runs through the debugger, which the content policy does not bind. */
async function assertKeeps(page: Page | Frame, what: string, options: object): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => violations)`,
  )) as readonly Violation[]
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
  )
  assert.deepEqual(found, [], what)
}

interface LayoutShift {
  readonly sum: number
  /** What moved, from and to where: x, y, height. */
  readonly moved: readonly string[]
}

/** How far the page has moved under the reader's eyes since it was opened (Cumulative Layout Shift). */
export async function layoutShift(page: Page): Promise<LayoutShift> {
  // What moved before is told to a new observer in a task of its own, at the latest with the next frame but one.
  return (await page.evaluate(
    `new Promise((resolve) => {
      let sum = 0
      const moved = []
      const add = (entries) => {
        for (const entry of entries) {
          if (entry.hadRecentInput) continue
          sum += entry.value
          for (const { node, previousRect, currentRect } of entry.sources) {
            const place = ({ x, y, height }) => [x, y, height].map(Math.round).join(' ')
            const element = node?.nodeType === 1 ? node : node?.parentElement
            moved.push((element?.outerHTML ?? '').slice(0, 120) + ' from ' + place(previousRect) + ' to ' + place(currentRect))
          }
        }
      }
      const observer = new PerformanceObserver((list) => add(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
        add(observer.takeRecords())
        resolve({ sum, moved })
      })))
    })`,
  )) as LayoutShift
}
