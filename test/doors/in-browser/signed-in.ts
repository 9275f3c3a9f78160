/** What a person does who signs in: the pages of the account, without JavaScript, and the portal without a key. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, signUpFirst } from '../../support/person.ts'
import { giveAccess } from '../../support/service.ts'
import type { World } from './world.ts'

/** A folder for pictures of every page in both themes, for people to look at. */
const pictures = process.env['LANDFALL_TEST_PICTURES']

export function testSignedIn(world: World): void {
  const { api, carrier } = world

  test('a person without JavaScript signs up, makes a key, sees it once, uses it, deletes it and signs out', async () => {
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
    await page.goto(`${world.url}/account/keys`)
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

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByLabel('Name').fill('Warehouse')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = (await page.locator('#new-key').textContent()) ?? ''
    assert.match(key, /^lf_live_[0-9A-Za-z]{36}$/)
    await take('keys')
    const use = (): Promise<Response> =>
      fetch(`${world.url}/v2/shipments`, { headers: { authorization: `Token ${key}` } })
    assert.equal((await use()).status, 200)
    await page.reload()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /was made already/)
    assert.equal(await page.getByRole('button', { name: 'Delete Warehouse' }).count(), 1, 'no second key')
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.waitForLoadState()
    const listed = await page.content()
    assert.ok(!listed.includes(key), 'shown once')
    assert.ok(listed.includes(`${key.slice(0, 12)}…${key.slice(-4)}`), 'masked afterwards')
    await page.getByRole('button', { name: 'Delete Warehouse' }).click()
    assert.match((await page.getByRole('heading', { level: 2 }).textContent()) ?? '', /Delete Warehouse\?/)
    assert.equal((await use()).status, 200, 'it is only asked')
    await take('delete-key')
    await page.getByRole('button', { name: 'Delete it' }).click()
    assert.match((await page.getByRole('status').textContent()) ?? '', /deleted/)
    assert.equal((await use()).status, 401)

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByLabel('E-mail').fill('ben@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await take('members')
    const invitation = (await page.locator('.secret code').textContent()) ?? ''
    await page.reload()
    assert.equal(
      await page.locator('.secret code').textContent(),
      invitation,
      'loaded again it is the same link',
    )
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(
      await page.locator('main').evaluate((main) => main.ownerDocument.documentElement.scrollWidth),
      390,
      'a phone scrolls no page sideways',
    )
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.waitForLoadState()
    assert.match(await page.content(), /api_key\.deleted/)
    await take('activity')
    await page.getByRole('link', { name: 'You' }).click()
    await page.locator('#start-password').fill(password)
    await page.getByRole('button', { name: 'Set up' }).click()
    await take('two-factor')

    await page.getByRole('button', { name: 'Sign out' }).click()
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await page.goto(new URL(new URL(invitation).pathname + new URL(invitation).search, world.url).href)
    await take('invitation')
    await page.goto(`${world.url}/account`)
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    await context.close()
  })

  test('the portal of a person who is signed in asks in their name, and needs no key', async () => {
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
    await page.getByText('Being asked of the line').waitFor()
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

  test('the box of what must be known to pick it up says who spoke of holds and fees, or that nobody did', async () => {
    const tenant = await world.newTenant()
    const { shipmentId, containerId } = await tenant.track('CNSH87654321')
    const context = await world.browser.newContext()
    const page = await context.newPage()
    const open = async (): Promise<void> => {
      await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
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
    for (const term of ['Holds', 'Fees']) assert.match(await fact(term), /^nobody has said/)
    assert.equal((await page.locator('main').textContent())?.includes('none, says'), false)
    await api.service.pool.query(
      `update containers set projection = jsonb_set(projection, '{saidBy,holds}', '"terminal"') where id = $1`,
      [containerId],
    )
    await open()
    assert.match(await fact('Holds'), /^none, says the terminal/)
    assert.match(await fact('Fees'), /^nobody has said/)
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/container.png`, fullPage: true })
    await context.close()
  })
}
