/** The contract's rows about tracking: shipments, tracking requests, containers. */

import { nobody, noPage, notThere, of, type Row } from './row.ts'

export const trackingRows: readonly Row[] = [
  {
    row: 'GET /shipments',
    good: { url: '/shipments?q=PO-Kestrel&include=containers,port_of_lading', status: 200, type: 'shipment' },
    bad: noPage('/shipments'),
  },
  {
    row: 'GET /shipments/{shipment}',
    good: {
      url: '/shipments/{shipment}?include=containers.transport_events,pod_terminal,line_tracking_stopped_by_user',
      status: 200,
      type: 'shipment',
    },
    bad: { url: '/shipments/{shipment}?include=captain', status: 400 },
  },
  {
    row: 'PATCH /shipments/{shipment}',
    good: { body: of('shipment', { ref_numbers: ['PO-1'], tags: ['a'] }), status: 200, type: 'shipment' },
    bad: { body: of('container', {}), status: 409 },
  },
  {
    row: 'PATCH /shipments/{shipment}/stop_tracking',
    good: { status: 200, type: 'shipment' },
    bad: notThere(`/shipments/${nobody}/stop_tracking`),
  },
  {
    row: 'PATCH /shipments/{shipment}/resume_tracking',
    good: { status: 200, type: 'shipment' },
    bad: notThere(`/shipments/${nobody}/resume_tracking`),
  },
  {
    row: 'POST /tracking_requests',
    good: {
      body: of('tracking_request', {
        request_type: 'bill_of_lading',
        request_number: 'TEST-TR-SUCCEEDED',
        scac: 'TEST',
        ref_numbers: ['PO-2'],
        shipment_tags: ['b'],
      }),
      status: 201,
      type: 'tracking_request',
    },
    bad: {
      body: of('tracking_request', { request_type: 'barge', request_number: 'X1', scac: 'ONEY' }),
      status: 422,
    },
  },
  {
    row: 'GET /tracking_requests',
    good: {
      url: '/tracking_requests?filter[status]=created&filter[scac]=ONEY&include=customer,account,shipping_line',
      status: 200,
      type: 'tracking_request',
    },
    bad: { url: '/tracking_requests?filter[status]=sunk', status: 422 },
  },
  {
    row: 'GET /tracking_requests/{request}',
    good: { status: 200, type: 'tracking_request' },
    bad: notThere('/tracking_requests/1'),
  },
  {
    row: 'PATCH /tracking_requests/{request}',
    good: { body: of('tracking_request', { ref_number: 'PO-3' }), status: 200, type: 'tracking_request' },
    bad: { body: of('tracking_request', { status: 'created' }), status: 422 },
  },
  {
    row: 'POST /tracking_requests/infer_number',
    good: { body: { number: 'MSCU4000005' }, status: 200, type: 'infer_number_results' },
    bad: { body: { number: '?!' }, status: 422 },
  },
  {
    row: 'GET /containers',
    good: {
      url: '/containers?filter[number]=MSCU4000005&include=shipment.port_of_lading,raw_events',
      status: 200,
      type: 'container',
    },
    bad: { url: '/containers?filter[colour]=red', status: 400 },
  },
  {
    row: 'GET /containers/{container}',
    good: { status: 200, type: 'container' },
    bad: notThere(`/containers/${nobody}`),
  },
  {
    row: 'PATCH /containers/{container}',
    good: { body: of('container', { ref_numbers: ['PO-4'] }), status: 200, type: 'container' },
    bad: { body: of('container', { number: 'MSCU4000010' }), status: 422 },
  },
  {
    row: 'PATCH /containers',
    good: {
      body: of('container', { ref_numbers: null }, { id: '{container}' }),
      status: 200,
      type: 'container',
    },
    bad: { body: of('container', {}), status: 400 },
  },
  {
    row: 'GET /containers/{container}/raw_events',
    good: { status: 200, type: 'raw_event' },
    bad: notThere(`/containers/${nobody}/raw_events`),
  },
  {
    row: 'GET /containers/{container}/transport_events',
    good: {
      url: '/containers/{container}/transport_events?include=location,terminal,vessel,shipment,container',
      status: 200,
      type: 'transport_event',
    },
    bad: { url: '/containers/{container}/transport_events?include=weather', status: 400 },
  },
  {
    row: 'GET /containers/{container}/route',
    good: {
      url: '/containers/{container}/route?include=port,vessel,route_location',
      status: 200,
      type: 'route',
    },
    bad: notThere(`/containers/${nobody}/route`),
  },
  {
    row: 'GET /containers/{container}/map_geojson',
    good: { status: 200, type: null },
    bad: notThere(`/containers/${nobody}/map_geojson`),
  },
  {
    row: 'PATCH /containers/{container}/refresh',
    good: { status: 200, type: null },
    bad: notThere(`/containers/${nobody}/refresh`),
  },
]
