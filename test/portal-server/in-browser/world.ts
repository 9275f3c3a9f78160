/**
 * Shared by all tests in a browser: one browser, one server, one database and one line. Each part of the tests has
 * accounts of its own in it, so that none sees the data of another.
 */

import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Context } from '../../../src/modules/access/context.ts'
import { type Answer, type Call, openTestApi, type TestApi } from '../../support/api.ts'
import { type AppPage, openAppPage } from '../../support/app-page.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { seedRoute, type Told } from '../../support/route-seed.ts'

export interface World {
  readonly api: TestApi
  readonly browser: Browser
  readonly carrier: Carrier
  /** Where the server listens, without a slash at the end. */
  readonly url: string
  /**
   * A page as a fresh browser shows it: nothing is stored, 1280 by 720, light. Consecutive tests get the same page
   * when it was closed, because scripts that have run in it before run in a third of the time. A test that needs two
   * pages, or another kind of page, opens them with `openAppPage`.
   */
  readonly openPage: () => Promise<AppPage>
  readonly newTenant: () => Promise<Tenant>
  readonly close: () => Promise<void>
}

/** An account, and a client with its key. */
export interface Tenant {
  readonly context: Context
  /** May read and write. */
  readonly key: string
  readonly adminKey: () => Promise<string>
  readonly call: (request: Call) => Promise<Answer>
  /** Tracks a bill that the line reports as `seedRoute` defines it. */
  readonly track: (bill: string, journey?: readonly Told[]) => Promise<Tracked>
}

export interface Tracked {
  readonly shipmentId: string
  readonly containerId: string
}

/** The container of every tracked route. */
export const box = 'MSCU4000005'

export async function openWorld(): Promise<World> {
  const api = await openTestApi({ startAt: '2026-01-20T00:00:00Z', hasReference: true })
  const carrier = await openCarrier()
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await openBrowser()
  return {
    api,
    browser,
    carrier,
    url,
    openPage: lendPage(browser, url),
    newTenant: () => openTenant(api, carrier),
    close: async () => {
      await browser.close()
      await carrier.close()
      await api.close()
    },
  }
}

async function openTenant(api: TestApi, carrier: Carrier): Promise<Tenant> {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  const call: Tenant['call'] = (request) => api.call({ key, ...request })
  return {
    context,
    key,
    adminKey: () => api.newKey(context, ['read', 'write', 'admin']),
    call,
    track: async (bill, journey) => {
      const { containerId } = await seedRoute(api, {
        bill,
        key,
        carrier,
        ...(journey === undefined ? {} : { journey }),
      })
      const [shipment] = (await call({ url: `/v2/shipments?number=${bill}` })).many()
      assert.ok(shipment !== undefined, `${bill} is not tracked`)
      return { shipmentId: shipment.id, containerId }
    },
  }
}

function lendPage(browser: Browser, url: string): () => Promise<AppPage> {
  let idle: AppPage | null = null
  return async () => {
    // A test that failed has not closed its page, and may still use it.
    const opened = idle ?? (await openAppPage(browser))
    idle = null
    const { page, faults } = opened
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.emulateMedia({ colorScheme: 'light' })
    // A page of the same site without a script.
    await page.goto(`${url}/healthz`)
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.context().clearCookies()
    faults.length = 0
    const close = async (): Promise<void> => {
      idle = opened
    }
    return { page, faults, close }
  }
}
