/** A simulated fault occurs exactly as requested, and no longer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultBox } from '../../sandbox/faults.ts'
import { Asker, eventsIn } from './ask.ts'

test('each fault number fails in its own way at any line', async (t) => {
  const asker = await Asker.start(t, 30)
  const ask = (number: string) => asker.ask('MSCU', 'booking', number)
  const broken = await ask('FAULT5001')
  assert.equal(broken.status, 500)
  assert.equal(JSON.parse(broken.text).statusCode, 500)
  const limited = await ask('FAULT429ABC')
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '2'])
  const login = await ask('FAULTLOGIN1')
  assert.equal(login.status, 200)
  assert.match(login.text, /<form/)
  assert.match((await ask('FAULTHTML1')).text, /^<html/)
  assert.equal((await ask('FAULTEMPTY1')).text, '')
  const cut = await ask('FAULTTRUNC1')
  assert.throws(() => JSON.parse(cut.text), SyntaxError)
  assert.ok(cut.text.length > 100)
  assert.notEqual(eventsIn((await ask('FAULTOTHER1')).text).length, 0)
  await assert.rejects(ask('FAULTRESET1'))
})

test('the test number for an unknown shipment gets the same answer as any unknown number of its line', async (t) => {
  const asker = await Asker.start(t, 30)
  assert.deepEqual([(await asker.ask('MSCU', 'booking', 'FAULTUNKNOWN1')).text], ['[]'])
  assert.equal((await asker.ask('HLCU', 'booking', 'FAULTUNKNOWN1')).status, 404)
  for (const [scac, kind, number] of [
    ['MAEU', 'bill_of_lading', 'FAULTNODATA1'],
    ['PCIU', 'container', faultBox('nodata')],
  ] as const) {
    const events = eventsIn((await asker.ask(scac, kind, number)).text)
    assert.deepEqual(
      events.map(({ eventType, shipmentEventTypeCode }) => [eventType, shipmentEventTypeCode]),
      [['SHIPMENT', 'CONF']],
    )
  }
})

test('the test number for a wrong answer gets events of another bill of lading', async (t) => {
  const asker = await Asker.start(t, 30)
  for (const scac of ['YMLU', 'ONEY', 'WHLC']) {
    const events = eventsIn((await asker.ask(scac, 'bill_of_lading', 'FAULTOTHER1')).text)
    const isOfBill = ({ documentReferenceType }: { documentReferenceType: string }) =>
      documentReferenceType.startsWith('TRD')
    assert.ok(
      events.some(({ documentReferences }) => documentReferences.some(isOfBill)),
      scac,
    )
  }
})

test('a slow answer arrives a few bytes at a time and can be aborted', async (t) => {
  const asker = await Asker.start(t, 30)
  const path = `${asker.url}/mscu/v2/events?carrierBookingReference=FAULTSLOW1`
  const response = await fetch(path)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  assert.ok((first?.value?.length ?? 0) <= 32)
  await reader?.cancel()
})

test('an enabled fault affects only the next requests of its line', async (t) => {
  const asker = await Asker.start(t, 30)
  const [listed] = await asker.numbers('&scac=HLCU&kind=booking')
  assert.ok(listed)
  const ask = () => asker.ask('HLCU', 'booking', listed.number)
  const right = await ask()
  const set = (body: object) => asker.get('/sandbox/faults', { method: 'POST', body: JSON.stringify(body) })
  assert.equal((await set({ scac: 'HLCU', kind: '500', count: 2 })).status, 200)
  assert.notEqual((await asker.ask('MAEU', 'booking', '1')).status, 500)
  assert.deepEqual([(await ask()).status, (await ask()).status, (await ask()).text], [500, 500, right.text])
  assert.equal((await set({ scac: 'HLCU', kind: 'nonsense' })).status, 400)
  await set({ scac: 'HLCU', kind: 'other', count: 1 })
  assert.ok(eventsIn((await ask()).text).every((event) => !listed.containers.includes(event.equipmentReference ?? '')))
  await set({ scac: 'HLCU', kind: 'stale', count: 1 })
  const stale = await ask()
  asker.setDay(29)
  assert.equal((await ask()).text, stale.text)
})
