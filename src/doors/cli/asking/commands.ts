import type { ListedCommand } from '../frame/command.ts'

export const askingCommands: readonly ListedCommand[] = [
  {
    name: 'track',
    summary: 'Track numbers, and wait for what their lines say',
    load: async () => (await import('./track.ts')).track,
  },
  {
    name: 'shipments',
    summary: 'List the shipments of the account, the latest changed first',
    load: async () => (await import('./lists.ts')).shipments,
  },
  {
    name: 'containers',
    summary: 'List the containers of the account, the latest changed first',
    load: async () => (await import('./lists.ts')).containers,
  },
  {
    name: 'events',
    summary: 'Show the events of the account, and follow them',
    load: async () => (await import('./events.ts')).events,
  },
  {
    name: 'webhooks listen',
    summary: 'Send what a webhook would get to a program on this machine',
    load: async () => (await import('./webhooks-listen.ts')).webhooksListen,
  },
  {
    name: 'webhooks check',
    summary: 'Try a receiver on this machine with recorded deliveries, or with an example of each event',
    load: async () => (await import('./webhooks-check.ts')).webhooksCheck,
  },
  {
    name: 'infer',
    summary: 'Say what a number is and which line it is of',
    load: async () => (await import('./infer.ts')).infer,
  },
]
