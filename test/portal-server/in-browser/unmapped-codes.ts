/** An unknown code of a sender is mapped in the browser, and unmapped there. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { assertAccessible } from '../../support/app-page.ts'
import type { Tenant, World } from './world.ts'

export function testUnmappedCodes(world: World): void {
  const { api } = world
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    const { id, isSandbox } = tenant.context.account
    const { channel } = await createChannel(api.service, {
      name: 'pier',
      account: {
        id,
        isSandbox,
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
    const said = 'ST*315*0001~B4***ZQ*20260112*0900**LDFU*100001*L*45R1*USLAX*UN*8~SE*3*0001~'
    const body = Buffer.from(
      `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260112*1200*U*00401*000000001*0*P*>~GS*QO*PIER*LANDFALL*20260112*1200*1*X*004010~${said}GE*1*1~IEA*1*000000001~`,
    )
    await ingestDelivery(api.service, channel, {
      body,
      contentType: 'application/edi-x12',
      idempotencyKey: null,
    })
    await api.drain()
  })

  test('an unmapped code is shown with its message, given a meaning found by search, and unmapped again', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/operate/messages#key=${tenant.key}`)
    await page.getByText('B4***ZQ*20260112').waitFor()
    await page.getByRole('button', { name: 'Say what ZQ means' }).click()
    const form = page.getByRole('form', { name: 'What ZQ means' })
    assert.equal(await form.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await form.getByLabel('Search the meanings').fill('held: cus')
    assert.deepEqual(await form.getByRole('option').allTextContents(), ['held: customs'])
    await form.getByLabel('It means').selectOption('hold customs')
    await assertAccessible(page, 'the form')
    await form.getByRole('button', { name: 'See the effect' }).click()
    await form.getByText('1 message would be read again for 0 shipments.').waitFor()
    assert.equal((await tenant.call({ url: '/v2/code_mappings' })).many().length, 0)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Every code that was sent is known.').waitFor()
    const [mapping] = (await tenant.call({ url: '/v2/code_mappings' })).many()
    assert.equal(mapping?.attributes['means'], 'hold customs')
    await assertAccessible(page, 'the mappings')
    await page.getByRole('button', { name: 'Take back what ZQ means' }).click()
    await page.getByText('Taken back.').first().waitFor()
    assert.equal((await tenant.call({ url: '/v2/code_mappings' })).many().length, 0)
    await api.drain()
    await page.reload()
    await page.getByRole('button', { name: 'Say what ZQ means' }).waitFor()
    assert.deepEqual(faults, [])
    await close()
  })
}
