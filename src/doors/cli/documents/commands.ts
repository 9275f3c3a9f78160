import type { ListedCommand } from '../frame/command.ts'

export const documentCommands: readonly ListedCommand[] = [
  {
    name: 'documents model',
    summary: "Switch the reading of an account's documents by a language model on or off",
    load: async () => (await import('./documents-model.ts')).documentsModel,
  },
  {
    name: 'mailboxes list',
    summary: 'List the addresses to which documents of an account are sent',
    load: async () => (await import('./mailboxes.ts')).mailboxesList,
  },
  {
    name: 'mailboxes create',
    summary: 'Create an address to which documents of an account are sent',
    load: async () => (await import('./mailboxes.ts')).mailboxesCreate,
  },
  {
    name: 'mailboxes revoke',
    summary: 'Stop accepting e-mail at an address',
    load: async () => (await import('./mailboxes.ts')).mailboxesRevoke,
  },
  {
    name: 'mailboxes senders list',
    summary: 'List the senders whose e-mail an account accepts',
    load: async () => (await import('./mailboxes.ts')).sendersList,
  },
  {
    name: 'mailboxes senders add',
    summary: 'Accept the e-mail of a sender',
    load: async () => (await import('./mailboxes.ts')).sendersAdd,
  },
  {
    name: 'mailboxes senders remove',
    summary: 'Stop accepting the e-mail of a sender',
    load: async () => (await import('./mailboxes.ts')).sendersRemove,
  },
]
