/**
 * An example body for each operation that accepts one, shown in the OpenAPI document. One test sends all of them (with
 * ids that exist in its database instead of these); another checks each against its schema.
 */

import { testScac } from '../../domain/values/identifiers.ts'

export const exampleIds = {
  shipment: '018f2d3e-5a10-7c3b-9f61-000000000001',
  container: '018f2d3e-5a10-7c3b-9f61-000000000002',
  party: '018f2d3e-5a10-7c3b-9f61-000000000003',
  /** Of an upload: as long as one is. */
  signedId: 'AY8tPloQfDufYQAAAAAAAgGPLT5aEHw7n2EAAAAAAAMAAAAAAAC3hjqH0cVbOpH8Hr6f7LsWj0ObnnWDDWd_kJ3uRc6Xgw',
} as const

const makeExampleBody = (type: string, attributes: object, rest: object = {}) => ({
  data: { type, attributes, ...rest },
})
const makeFieldValueExample = (given: unknown) => makeExampleBody('custom_field', { value: given })
const makeRoleExample = (role: string) =>
  makeExampleBody(
    'party_role',
    { role },
    { relationships: { party: { data: { type: 'party', id: exampleIds.party } } } },
  )
const setValue = makeExampleBody('custom_field', { api_slug: 'cost_centre', value: 'EMEA-12' })

/** Example bodies by operation id. */
export const examples: Readonly<Record<string, object | string>> = {
  connectTarget: {
    target: 'TRKU',
    number: 'LDF71800000',
    kind: 'bill_of_lading',
    secrets: { apiKey: 'the key that the carrier gave you' },
    profile: { base: 'https://example.com/landfall', auth: { keyHeaders: { 'x-key': 'apiKey' }, oauth: null } },
    save: false,
  },
  readAnswer: { scac: 'MSCU', answer: '[]', number: 'MEDUZQ004310', kind: 'bill_of_lading' },
  createTrackingRequest: makeExampleBody(
    'tracking_request',
    {
      request_type: 'bill_of_lading',
      request_number: 'TEST-TR-SUCCEEDED',
      scac: testScac,
      ref_numbers: ['PO-4711'],
      shipment_tags: ['spring'],
    },
    { relationships: { customer: { data: { type: 'party', id: exampleIds.party } } } },
  ),
  createTrackingRequestBatch: {
    data: [
      makeExampleBody('tracking_request', {
        request_type: 'bill_of_lading',
        request_number: 'TEST-TR-SUCCEEDED',
        scac: testScac,
      }).data,
      makeExampleBody('tracking_request', {
        request_type: 'container',
        request_number: 'TEST-TR-FAILED',
        scac: testScac,
      }).data,
    ],
    meta: { dry_run: false },
  },
  stopTrackingBatch: { data: [{ type: 'shipment', id: exampleIds.shipment }] },
  resumeTrackingBatch: { data: [{ type: 'shipment', id: exampleIds.shipment }] },
  createImport: 'Container No.,SCAC,Ref\nTEST-TR-SUCCEEDED,TEST,PO-4711\n',
  previewImport: 'Container No.,SCAC,Ref\nTEST-TR-SUCCEEDED,TEST,PO-4711\n',
  putColumnMap: makeExampleBody('column_map', {
    columns: { container_number: 'Our box', ref_numbers: ['Order', 'Line item'] },
    day_format: 'DD/MM/YYYY',
    scac: testScac,
  }),
  createApiKey: makeExampleBody('api_key', { name: 'Warehouse system', scopes: ['read', 'write'] }),
  inviteMember: makeExampleBody('member', { email: 'ben@example.com', role: 'member' }),
  updateMember: makeExampleBody('member', { role: 'read_only' }),
  createChargeTerms: makeExampleBody('charge_terms', {
    code: 'acme-hlcu-import',
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    charger_code: 'HLCU',
    currency: 'USD',
    calendar: 'us-lax',
    start: 'vessel_discharged',
    start_first_full_day: true,
    stop: ['full_out', 'rail_departed'],
    free: 4,
    free_unit: 'working_days',
    tiers: [{ from: 1, to: null, rate_minor: null }],
    source: 'Our contract of 2026, schedule B',
  }),
  createCalendar: makeExampleBody('calendar', {
    code: 'us-lax',
    zone: 'America/Los_Angeles',
    weekend: ['sat', 'sun'],
    holidays: [{ on: '2026-02-16', name: "Presidents' Day" }],
    closures: [{ on: '2026-02-04', name: 'Storm', kind: 'unscheduled' }],
    source: 'Notices of the terminal',
  }),
  importChargeTerms:
    'code,origin,kind,charged_by,currency,start,stop,free,free_unit,tiers,source\nacme-oney-import,contract,demurrage,line,USD,available_at_port,full_out,5,calendar_days,1-:?,Our contract of 2026\n',
  importCalendars:
    "code,entry,on,value\nus-oak,zone,,America/Los_Angeles\nus-oak,weekend,,sat sun\nus-oak,holiday,2026-02-16,Presidents' Day\n",
  auditInvoice: makeExampleBody('invoice_audit', {
    number: 'D-2026-0815',
    kind: 'demurrage',
    charged_by: 'line',
    charger_code: 'HLCU',
    issuer: 'vocc',
    bills: ['HLCUHKG260116'],
    port_of_discharge: 'USLAX',
    invoiced_on: '2026-02-12',
    due_on: '2026-03-14',
    currency: 'USD',
    total_minor: 60_000,
    dispute_contact: 'disputes@example.com',
    lines: [
      {
        container: 'MSKU1234565',
        from: '2026-02-06',
        to: '2026-02-09',
        free_days: 4,
        rate_minor: 15_000,
        amount_minor: 60_000,
      },
    ],
  }),
  auditInvoiceTable:
    'number,kind,charged_by,currency,bills,total,container,from,to,rate,amount\nD-2026-0815,demurrage,line,USD,HLCUHKG260116,600.00,MSKU1234565,2026-02-06,2026-02-09,150.00,600.00\n',
  createShipmentPartyRole: makeRoleExample('consignee'),
  createContainerPartyRole: makeRoleExample('pickup_dray_carrier'),
  createTrackingRequestPartyRole: makeRoleExample('customs_broker'),
  createNote: makeExampleBody(
    'note',
    { text: 'The consignee wants it by Friday.' },
    { relationships: { container: { data: { type: 'container', id: exampleIds.container } } } },
  ),
  updateNote: makeExampleBody('note', { text: 'The consignee wants it by Thursday.' }),
  createShareLink: makeExampleBody(
    'share_link',
    { name: 'For the consignee', allowed_origins: ['https://www.example.com'], color: '#1f6feb' },
    { relationships: { shipment: { data: { type: 'shipment', id: exampleIds.shipment } } } },
  ),
  updateShareLink: makeExampleBody('share_link', { name: 'For the consignee and the broker' }),
  createSavedView: makeExampleBody('saved_view', {
    name: 'On the water to Los Angeles',
    table: 'shipments',
    query: { 'filter[status]': 'in_transit', 'filter[port_of_discharge]': 'USLAX', sort: 'pod_eta_at' },
    columns: ['bill_of_lading_number', 'pod_vessel_name', 'pod_eta_at'],
    is_shared: true,
  }),
  updateSavedView: makeExampleBody('saved_view', { name: 'To Los Angeles' }),
  createCodeMapping: makeExampleBody('code_mapping', {
    channel: 'pier-400',
    kind: 'status',
    code: 'PX',
    means: 'hold USDA',
  }),
  updateCodeMapping: makeExampleBody('code_mapping', { means: 'hold customs' }),
  createAlertRule: makeExampleBody('alert_rule', {
    name: 'Holds at Los Angeles',
    reasons: ['held', 'free_time_ends_soon'],
    shipments: { port_of_discharge: 'USLAX' },
    webhook: { url: 'https://example.com/landfall' },
    delivery: 'immediately',
  }),
  updateAlertRule: makeExampleBody('alert_rule', { active: false }),
  updateAttentionEntry: makeExampleBody('attention_entry', { state: 'done' }),
  snoozeAttention: { until: '2026-12-01T08:00:00Z' },
  createMailboxSender: makeExampleBody('mailbox_sender', { sender: '@forwarder.example' }),
  correctTrackingRequest: makeExampleBody('tracking_request', {
    request_type: 'bill_of_lading',
    request_number: 'TEST-TR-FAILED',
    scac: testScac,
  }),
  updateTrackingRequest: makeExampleBody('tracking_request', { ref_numbers: ['PO-4711', 'PO-4712'] }),
  inferNumber: { number: 'MSKU1234565' },
  updateShipment: makeExampleBody('shipment', { ref_numbers: ['PO-4711'], tags: ['spring'] }),
  updateContainer: makeExampleBody('container', { ref_numbers: ['PO-4711/1'] }),
  updateContainerInBody: makeExampleBody('container', { ref_numbers: ['PO-4711/1'] }, { id: exampleIds.container }),
  createStatement: makeExampleBody('statement', {
    says: 'pickup_appointment',
    value: '2026-02-07T09:00:00-08:00',
    reason: 'The terminal said so by telephone.',
  }),
  createDirectUpload: {
    blob: {
      filename: 'arrival-notice.pdf',
      content_type: 'application/pdf',
      byte_size: 35_672,
      checksum: 'tZTfawHSrI1hiuOZQ0cQRg==',
    },
  },
  createDocument: makeExampleBody(
    'document',
    { name: 'Arrival notice', attached_document: exampleIds.signedId },
    { relationships: { shipments: { data: [{ type: 'shipment', id: exampleIds.shipment }] } } },
  ),
  updateDocument: makeExampleBody(
    'document',
    { name: 'Arrival notice of March', document_type_manual: 'arrival_notice' },
    { relationships: { cargos: { data: [{ type: 'container', id: exampleIds.container }] } } },
  ),
  rotateDocument: { degrees: 90 },
  createParty: makeExampleBody('party', { company_name: 'Example Imports' }),
  updateParty: makeExampleBody('party', { company_name: 'Example Imports Ltd' }),
  createCustomFieldDefinition: makeExampleBody('custom_field_definition', {
    entity_type: 'Shipment',
    api_slug: 'season',
    display_name: 'Season',
    data_type: 'enum',
  }),
  updateCustomFieldDefinition: makeExampleBody('custom_field_definition', { display_name: 'Season of sale' }),
  createCustomFieldOption: makeExampleBody('custom_field_option', { label: 'Spring', value: 'spring' }),
  updateCustomFieldOption: makeExampleBody('custom_field_option', { label: 'Spring and summer' }),
  createCustomField: makeExampleBody(
    'custom_field',
    { api_slug: 'cost_centre', value: 'EMEA-12' },
    { relationships: { entity: { data: { type: 'shipment', id: exampleIds.shipment } } } },
  ),
  updateCustomField: makeFieldValueExample('EMEA-13'),
  setShipmentCustomField: setValue,
  setContainerCustomField: setValue,
  setTrackingRequestCustomField: setValue,
  updateShipmentCustomField: makeFieldValueExample('EMEA-13'),
  updateContainerCustomField: makeFieldValueExample('EMEA-13'),
  updateTrackingRequestCustomField: makeFieldValueExample('EMEA-13'),
  createWebhook: makeExampleBody('webhook', {
    url: 'https://example.com/landfall',
    active: true,
    events: ['container.transport.vessel_arrived', 'container.updated'],
  }),
  updateWebhook: makeExampleBody('webhook', { active: false }),
  recoverWebhook: { since: '2026-01-01T00:00:00Z', mode: 'failed_only' },
  triggerWebhook: {
    url: 'https://example.com/landfall',
    event: 'container.transport.vessel_arrived',
    secret: 'not-a-secret',
  },
}
