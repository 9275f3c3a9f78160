/** The rows of the contract about webhooks and their deliveries. */

import { nobody, notThere, of, type Row } from './row.ts'

export const webhookRows: readonly Row[] = [
  {
    row: 'GET /webhooks',
    good: { status: 200, type: 'webhook' },
    bad: { url: '/webhooks?page[number]=0', status: 422 },
  },
  {
    row: 'POST /webhooks',
    good: {
      body: of('webhook', {
        url: 'https://nowhere.invalid/hook',
        active: false,
        events: ['container.updated'],
        headers: [{ name: 'X-Office', value: 'Hamburg' }],
      }),
      status: 201,
      type: 'webhook',
    },
    bad: {
      body: of('webhook', { url: 'ftp://nowhere.invalid', events: ['container.updated'] }),
      status: 422,
    },
  },
  {
    row: 'GET /webhooks/{webhook}',
    good: { status: 200, type: 'webhook' },
    bad: notThere(`/webhooks/${nobody}`),
  },
  {
    row: 'PATCH /webhooks/{webhook}',
    good: { body: of('webhook', { active: true }), status: 200, type: 'webhook' },
    bad: { body: of('webhook', { events: ['container.sunk'] }), status: 422 },
  },
  {
    row: 'GET /webhooks/events',
    good: { status: 200, type: 'webhook_event_category' },
    bad: { url: '/webhooks/events?of=all', status: 400 },
  },
  {
    row: 'GET /webhooks/ips',
    good: { status: 200, type: null },
    bad: { url: '/webhooks/ips?v=6', status: 400 },
  },
  {
    row: 'POST /webhooks/trigger',
    good: { body: { url: '{receiver}', event: 'container.updated', secret: 's' }, status: 200, type: null },
    bad: { body: { url: '{receiver}', event: 'container.sunk' }, status: 422 },
  },
  {
    row: 'GET /webhook_notifications',
    good: {
      url: '/webhook_notifications?filter[event]=container.created&include=webhook,reference_object',
      status: 200,
      type: 'webhook_notification',
    },
    bad: { url: '/webhook_notifications?filter[delivery_status]=lost', status: 422 },
  },
  {
    row: 'GET /webhook_notifications/{notification}',
    good: { status: 200, type: 'webhook_notification' },
    bad: notThere(`/webhook_notifications/${nobody}`),
  },
  {
    row: 'GET /webhook_notifications/examples',
    good: {
      url: '/webhook_notifications/examples?event=container.updated',
      status: 200,
      type: 'webhook_notification',
    },
    bad: { url: '/webhook_notifications/examples', status: 400 },
  },
  {
    row: 'DELETE /webhooks/{webhook}',
    good: { status: 200, type: 'webhook' },
    bad: notThere(`/webhooks/${nobody}`),
  },
]
