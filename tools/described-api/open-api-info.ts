/** The parts of the OpenAPI document that do not come from the routes. */

import { programVersion } from '../../src/platform/program-version.ts'

export const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'Landfall',
    version: programVersion,
    summary: 'Beta',
    description: [
      'Beta. Tracks ocean shipments: a bill of lading, booking or container number goes in, one normalized journey comes',
      'out, and every change is pushed. JSON:API; `Authorization: Token <API key>` on every request. Query brackets may be',
      'sent bare or percent-encoded. Times are ISO 8601 in UTC, with the zone of the place beside them.',
    ].join(' '),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    'x-status': 'Beta',
    'x-beta': true,
  },
  servers: [{ url: '/', description: 'The server that served this document.' }],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'Authorization',
        description: 'The word `Token`, a space, and the API key.',
      },
      oauth: {
        type: 'oauth2' as const,
        description: 'The word `Bearer`, a space, and an access token that was issued for this API.',
        flows: {
          authorizationCode: {
            authorizationUrl: '/oauth/authorize',
            tokenUrl: '/oauth/token',
            refreshUrl: '/oauth/token',
            scopes: {
              'tracking:read': 'See what is tracked.',
              'tracking:write': 'Track, stop tracking, change.',
            },
          },
        },
      },
    },
  },
  security: [{ apiKey: [] }, { oauth: [] }],
  tags: [
    { name: 'Tracking requests', description: 'Requests to track a number.' },
    { name: 'Shipments', description: 'What a bill of lading or booking covers.' },
    {
      name: 'Imports',
      description: 'Tables of numbers to track, and maps of their columns.',
    },
    {
      name: 'Issues',
      description: 'Data in answers of carriers that could not be read or was not believed.',
    },
    { name: 'Containers', description: 'One box on one trip.' },
    { name: 'Scorecards', description: 'How good the estimates of arrival were.' },
    { name: 'Snapshots', description: 'The answers of sources, as they were received.' },
    { name: 'Administration', description: 'Keys, members and the audit log, for the scope `admin`.' },
    { name: 'Parties', description: 'The companies for which you track.' },
    { name: 'Custom fields', description: 'Fields that an account defines for its own data.' },
    { name: 'Search', description: 'Search by a part of a number or reference.' },
    { name: 'Shipping lines', description: 'The carriers that can be tracked.' },
    { name: 'Ports', description: 'Places with a sea port, by id or UN/LOCODE.' },
    { name: 'Metro areas', description: 'Inland places, by id or UN/LOCODE.' },
    { name: 'Terminals', description: 'Ocean terminals and rail ramps.' },
    { name: 'Vessels', description: 'Ships and their positions.' },
    {
      name: 'Charges',
      description: 'Free time, demurrage and detention: terms, calendars, and what each day costs.',
    },
    {
      name: 'Invoices',
      description: 'Audits of invoices, and the evidence that proves what was on record.',
    },
    { name: 'Saved views', description: 'Named lists with their filters.' },
    { name: 'Notes', description: 'What people write about shipments.' },
    { name: 'Sharing', description: 'Links by which people without an account see shipments.' },
    {
      name: 'Attention',
      description: 'What needs a person now, and having it told by mail or in a chat.',
    },
    { name: 'Webhooks', description: 'Landfall sends events to your URL.' },
    {
      name: 'Events',
      description: 'All events of the account, in order.',
    },
    {
      name: 'Documents',
      description: 'Shipping documents: upload them, read their fields, and use them for shipments.',
    },
    {
      name: 'Inbound',
      description: 'What partners send by themselves: events, EDI, arrival notices, statements.',
    },
    { name: 'Operations', description: 'For operators.' },
  ],
}
