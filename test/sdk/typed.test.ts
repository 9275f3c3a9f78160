// The SDK promises its types as well as its behaviour: each marked line below must not
// compile, and each other one must. `npm run types` checks them; nothing of it is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Landfall } from '../../sdk/typescript/src/landfall.ts'
import type { Notification } from '../../sdk/typescript/src/webhooks.ts'

async function compiles(landfall: Landfall, notification: Notification): Promise<void> {
  const shipment = await landfall.getShipment('id', { include: ['containers.pod_terminal', 'destination'] })
  const terminal: string | null | undefined = shipment.containers[0]?.pod_terminal?.name
  // @ts-expect-error It was not included.
  void shipment.port_of_lading
  // @ts-expect-error A shipment has no vessel.
  await landfall.getShipment('id', { include: ['vessel'] })
  // @ts-expect-error A terminal has no seal.
  await landfall.getShipment('id', { include: ['containers.pod_terminal.seal'] })
  // @ts-expect-error The id is missing.
  await landfall.getShipment()
  // @ts-expect-error There is no such status.
  const isOver = shipment.containers[0]?.current_status === 'over'
  // @ts-expect-error The list has no such filter.
  landfall.listContainers({ filter: { colour: 'red' } })
  // @ts-expect-error A request needs its number.
  await landfall.createTrackingRequest({ scac: 'MAEU' })
  // @ts-expect-error What is answered cannot be changed.
  shipment.bill_of_lading_number = 'another'
  for await (const { number } of landfall.listContainers({ filter: { pod_eta_at: { start: new Date() } } })) {
    const text: string = number
    void text
  }
  const about = notification.reference_object
  if (about?.type === 'transport_event') {
    const vessel: string | null | undefined = about.vessel?.name
    void vessel
  }
  if (about?.type === 'container_updated_event') {
    // @ts-expect-error No vessel comes with a change of a container.
    void about.vessel
  }
  void [terminal, isOver]
}

test('the client has the operations of the API description as functions', async () => {
  const landfall = connect({ url: 'http://127.0.0.1:1', key: 'none' })
  assert.equal(typeof landfall.getShipment, 'function')
  assert.equal('getNothing' in landfall, false)
  assert.equal(typeof compiles, 'function')
})
