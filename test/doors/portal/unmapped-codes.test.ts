// A code that a sender made up is given a meaning in the browser, and the meaning is taken back there.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createChannel } from '../../../src/service/hearing/intake/channels.ts'
import { takeIn } from '../../../src/service/hearing/intake/take-in.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { assertAccessible, openAppPage } from '../../support/app-page.ts'
import { openBrowser } from '../../support/browser.ts'

let api: TestApi
let browser: Browser
let url: string

before(async () => {
  api = await openTestApi({ startAt: '2026-02-12T00:00:00Z' })
  const { id, isFiction } = api.context.account
  const { channel } = await createChannel(api.service, {
    name: 'pier',
    account: {
      id,
      isFiction,
    },
    speaker: {
      kind: 'terminal',
      code: 'Y258',
    },
    source: 'x12',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })
  const said = 'ST*315*0001~B4***ZQ*20260212*0900**LDFU*100001*L*45R1*USLAX*UN*8~SE*3*0001~'
  const body = Buffer.from(
    `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260212*1200*U*00401*000000001*0*P*>~GS*QO*PIER*LANDFALL*20260212*1200*1*X*004010~${said}GE*1*1~IEA*1*000000001~`,
  )
  await takeIn(api.service, channel, { body, contentType: 'application/edi-x12', idempotencyKey: null })
  await api.drain()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const address = api.app.server.address()
  assert.ok(address !== null && typeof address === 'object')
  url = `http://127.0.0.1:${address.port}`
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await api.close()
})

test('a code is shown in its words, given a meaning that is found by words, and the meaning taken back', async () => {
  const { page, faults, close } = await openAppPage(browser)
  await page.goto(`${url}/operate/messages#key=${api.key}`)
  await page.getByText('B4***ZQ*20260212').waitFor()
  await page.getByRole('button', { name: 'Say what ZQ means' }).click()
  const form = page.getByRole('form', { name: 'What ZQ means' })
  assert.equal(await form.getByRole('button', { name: 'Save' }).isDisabled(), true)
  await form.getByLabel('Search the meanings').fill('held: cus')
  assert.deepEqual(await form.getByRole('option').allTextContents(), ['held: customs'])
  await form.getByLabel('It means').selectOption('hold customs')
  await assertAccessible(page, 'the form')
  await form.getByRole('button', { name: 'See the effect' }).click()
  await form.getByText('1 message would be read again for 0 shipments.').waitFor()
  assert.equal((await api.call({ url: '/v2/code_mappings' })).many().length, 0)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Every code that was sent is known.').waitFor()
  const [mapping] = (await api.call({ url: '/v2/code_mappings' })).many()
  assert.equal(mapping?.attributes['means'], 'hold customs')
  await assertAccessible(page, 'the mappings')
  await page.getByRole('button', { name: 'Take back what ZQ means' }).click()
  await page.getByText('Taken back.').first().waitFor()
  assert.equal((await api.call({ url: '/v2/code_mappings' })).many().length, 0)
  await api.drain()
  await page.reload()
  await page.getByRole('button', { name: 'Say what ZQ means' }).waitFor()
  assert.deepEqual(faults, [])
  await close()
})
