/** What a signed-in person does: the pages of the account, without JavaScript, and the portal without a key. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { invitePath, password, signUpFirst, signUpInvited } from '../../support/person.ts'
import { giveAccess } from '../../support/service.ts'
import type { World } from './world.ts'

/** A folder for pictures of every page in both themes, for people to look at. */
const pictures = process.env['LANDFALL_TEST_PICTURES']

export function testSignedIn(world: World): void {
  const { api, carrier } = world

  /** Opens the address in a fresh browser, from which the sign-in leads back to it. */
  async function signInAt(path: string, email: string): Promise<Page> {
    const page = await (await world.browser.newContext()).newPage()
    await page.goto(`${world.url}/sign-in?next=${path}`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }

  test('a person without JavaScript signs up, names the account, sets up one-time codes, signs out and is invited', async () => {
    const tenant = await world.newTenant()
    const context = await world.browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const take = async (name: string): Promise<void> => {
      if (pictures === undefined) return
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true })
      }
    }
    await page.goto(`${world.url}/account/apps`)
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await take('sign-in')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Name').fill('Ada Harbour')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('First API key').fill(tenant.key)
    await page.getByRole('button', { name: 'Sign up' }).click()
    const refused = page.getByLabel('Password')
    assert.equal(await refused.getAttribute('aria-invalid'), 'true')
    assert.match((await page.locator('#password-fault').textContent()) ?? '', /at least 10 characters/)
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ada@example.com')
    await take('sign-up')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('First API key').fill(tenant.key)
    await page.getByRole('button', { name: 'Sign up' }).click()
    assert.equal(new URL(page.url()).pathname, '/account')
    await take('account')

    await page.getByLabel('Company').fill('Harbour Imports')
    await page.getByRole('button', { name: 'Save' }).last().click()
    assert.match((await page.getByRole('status').textContent()) ?? '', /name of the account is changed/)
    assert.match((await page.locator('.company').textContent()) ?? '', /^Harbour Imports/)
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(
      await page.locator('main').evaluate((main) => main.ownerDocument.documentElement.scrollWidth),
      390,
      'a phone scrolls no page sideways',
    )
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.locator('#start-password').fill(password)
    await page.getByRole('button', { name: 'Set up' }).click()
    await take('two-factor')

    await page.getByRole('button', { name: 'Sign out' }).click()
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    const other = await world.newTenant()
    const owner = await signUpFirst(api, { key: other.key, email: 'olga@example.com' })
    await page.goto(world.url + (await invitePath(owner, { email: 'ben@example.com', role: 'member' })))
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await take('invitation')
    await page.goto(`${world.url}/account`)
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await context.close()
  })

  test('the old address of the keys redirects to the app, where an owner administers the account', async () => {
    const tenant = await world.newTenant()
    const owner = await signUpFirst(api, { key: tenant.key, email: 'ida@example.com' })
    await signUpInvited(api, owner, { email: 'leo@example.com', role: 'read_only', name: 'Leo Strand' })
    const attributes = {
      url: 'https://example.com/hook',
      events: ['container.created'],
      signature_header: 'X-One,X-Two',
    }
    const data = { type: 'webhook', attributes }
    assert.equal((await tenant.call({ method: 'POST', url: '/v2/webhooks', body: { data } })).status, 201)
    const page = await signInAt('/account/keys', 'ida@example.com')
    await page.waitForURL('**/administration/keys')
    await page.getByLabel(/^Name/).fill('Warehouse')
    await page.getByRole('button', { name: 'Make the key' }).dblclick()
    const key = (await page.locator('.note pre').textContent()) ?? ''
    const use = async (): Promise<number> => (await tenant.call({ url: '/v2/shipments', key })).status
    assert.equal(await use(), 200)
    const remove = page.getByRole('button', { name: /^Delete ?: Warehouse/ })
    await remove.waitFor()
    assert.equal(await remove.count(), 1, 'two presses make one key')
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The key is deleted.').waitFor()
    assert.equal(await use(), 401)

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByLabel('E-mail').fill('zoe@example.com')
    await page
      .getByLabel('Role', { exact: true })
      .selectOption({ label: 'Admin: also manages API keys, webhooks and members' })
    await page.getByRole('button', { name: 'Invite' }).click()
    assert.match((await page.locator('.note pre').textContent()) ?? '', /\/invitation\?token=/)
    await page.getByRole('row').filter({ hasText: 'zoe@example.com' }).filter({ hasText: 'Admin' }).waitFor()
    await page.getByLabel('Role of Leo Strand').selectOption('member')
    await page.getByText('The role is changed.').waitFor()
    await page.getByRole('link', { name: 'Record of changes' }).click()
    await page.getByRole('row').filter({ hasText: 'Warehouse' }).first().waitFor()
    await page.goto(`${world.url}/account/webhooks`)
    await page.getByText(/sent as application\/json, signed under X-One, X-Two/).waitFor()
    await page.context().close()
  })

  test('a member cannot administer, sees the other members, and leaves', async () => {
    const tenant = await world.newTenant()
    const owner = await signUpFirst(api, { key: tenant.key, email: 'una@example.com', name: 'Una Pier' })
    await signUpInvited(api, owner, { email: 'max@example.com', role: 'member', name: 'Max Quay' })
    const page = await signInAt('/administration/keys', 'max@example.com')
    await page.getByText(/Your role in this account does not allow it/).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('row').filter({ hasText: 'Una Pier' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /: Una Pier/ }).count(), 0)
    await page.getByRole('button', { name: /^Leave ?: Max Quay/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/account')
    await page.getByText('You belong to none.').waitFor()
    await page.context().close()
  })

  test('the portal of a signed-in person sends requests in their name and needs no key', async () => {
    const tenant = await world.newTenant()
    await signUpFirst(api, { key: tenant.key, email: 'grace@example.com' })
    await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
    const context = await world.browser.newContext()
    const page = await context.newPage()
    const refusals: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refusals.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(`${world.url}/sign-in?next=/track`)
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Numbers').fill('CNSH12345678')
    await page.getByRole('button', { name: 'Read the numbers' }).click()
    await page.getByLabel('Line: CNSH12345678').selectOption('ONEY')
    await page.getByLabel('Kind: CNSH12345678').selectOption('bill_of_lading')
    await page.getByRole('button', { name: 'Track 1 number' }).click()
    await page.getByText('Asking the line …').waitFor()
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/portal-signed-in.png` })
    assert.deepEqual(refusals, [])
    assert.match((await page.locator('.who').textContent()) ?? '', /Ada Harbour/)
    const { rows } = await api.service.pool.query(
      `select actor_type, actor_id from audit_events where account_id = $1 and action like 'tracking_request.%'`,
      [tenant.context.account.id],
    )
    assert.equal(rows[0]?.actor_type, 'user')
    await context.close()
  })

  test('the pick-up section names the source of holds and fees, or says that there is none', async () => {
    const tenant = await world.newTenant()
    const { shipmentId, containerId } = await tenant.track('CNSH87654321')
    const context = await world.browser.newContext()
    const page = await context.newPage()
    const open = async (): Promise<void> => {
      await page.goto(`${world.url}/shipments/${shipmentId}?tab=containers#key=${tenant.key}`)
      await page.reload()
      await page.locator('.box-part .facts').waitFor()
    }
    const fact = async (term: string): Promise<string> =>
      (await page
        .locator('.box-part .facts > div', { hasText: new RegExp(`^${term}`) })
        .first()
        .locator('dd')
        .textContent()) ?? ''
    await open()
    for (const term of ['Holds', 'Fees']) assert.match(await fact(term), /^–No source has reported it/)
    assert.equal((await page.locator('main').textContent())?.includes('none, says'), false)
    await api.service.pool.query(
      `update containers set projection = jsonb_set(projection, '{saidBy,holds}', '"terminal"') where id = $1`,
      [containerId],
    )
    await open()
    assert.match(await fact('Holds'), /^none, says the terminal/)
    assert.match(await fact('Fees'), /^–No source has reported it/)
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/container.png`, fullPage: true })
    await context.close()
  })
}
