/** The parts of the OpenAPI document that do not come from the routes. */

export const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'Landfall',
    version: '0.2.0',
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
  servers: [{ url: '/', description: 'Where this document was served.' }],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'Authorization',
        description: 'The word `Token`, a blank, and the API key.',
      },
      oauth: {
        type: 'oauth2' as const,
        description: 'The word `Bearer`, a blank, and an access token that was given for this API.',
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
    { name: 'Tracking requests', description: 'Ask for a number to be tracked.' },
    { name: 'Shipments', description: 'What a bill of lading or booking covers.' },
    {
      name: 'Imports',
      description: 'Tables of numbers to track, and how the columns of such tables are meant.',
    },
    { name: 'Issues', description: "What of the lines' answers could not be read or believed." },
    { name: 'Containers', description: 'One box on one trip.' },
    { name: 'Snapshots', description: 'What the sources answered, word for word.' },
    { name: 'Administration', description: 'Keys, members and the audit log, for the scope `admin`.' },
    { name: 'Parties', description: 'The companies that are tracked for.' },
    { name: 'Custom fields', description: 'What an account keeps beside the data of its sources.' },
    { name: 'Search', description: 'By a part of a number or reference.' },
    { name: 'Shipping lines', description: 'Whom can be asked.' },
    { name: 'Ports', description: 'Places with a sea port, by id or UN/LOCODE.' },
    { name: 'Metro areas', description: 'Inland places, by id or UN/LOCODE.' },
    { name: 'Terminals', description: 'Where boxes are handed over: ocean terminals and rail ramps.' },
    { name: 'Vessels', description: 'The ships, and where they are.' },
    {
      name: 'Charges',
      description: 'Free time, demurrage and detention: terms, calendars, and what each day costs.',
    },
    { name: 'Saved views', description: 'The lists with their filters, under a name.' },
    { name: 'Notes', description: 'What people write about shipments.' },
    { name: 'Sharing', description: 'Links by which people without an account see shipments.' },
    {
      name: 'Attention',
      description: 'What needs a person now, and having it told by mail or in a chat.',
    },
    { name: 'Webhooks', description: 'Be told instead of asking.' },
    {
      name: 'Events',
      description: 'Everything that happened, in order; to be read, waited for or followed.',
    },
    {
      name: 'Documents',
      description: 'Shipping papers: handed in, read, linked, and heard by the journeys.',
    },
    { name: 'Inbound', description: 'What is sent unasked: events, EDI, Arrival Notices, statements.' },
    { name: 'Operations', description: 'For those who run it.' },
  ],
}
