import type { ListedCommand } from '../frame/command.ts'

export const channelCommands: readonly ListedCommand[] = [
  {
    name: 'channels create',
    summary: 'Create a channel for a carrier, terminal, railway or partner that sends by itself',
    load: async () => (await import('./channels.ts')).channelsCreate,
  },
  {
    name: 'channels list',
    summary: 'Show the channels through which partners send',
    load: async () => (await import('./channels.ts')).channelsList,
  },
  {
    name: 'channels key',
    summary: 'Give a channel a new key',
    load: async () => (await import('./channels.ts')).channelsKey,
  },
  {
    name: 'channels bind',
    summary: 'Give an account the releases, charges and pick-up numbers of a channel of the installation',
    load: async () => (await import('./channels-bind.ts')).channelsBind,
  },
  {
    name: 'channels unbind',
    summary:
      'Stop giving an account the releases, charges and pick-up numbers of a channel of the installation',
    load: async () => (await import('./channels-bind.ts')).channelsUnbind,
  },
  {
    name: 'channels change',
    summary: 'Close or open a channel, or change how its messages are read',
    load: async () => (await import('./channels.ts')).channelsChange,
  },
  {
    name: 'channels messages',
    summary: 'Show the messages of a channel and their results, newest first',
    load: async () => (await import('./channels-messages.ts')).channelsMessages,
  },
  {
    name: 'channels show-message',
    summary: 'Show one message part by part, or write the received message to a file',
    load: async () => (await import('./channels-messages.ts')).channelsShowMessage,
  },
  {
    name: 'channels replay',
    summary: 'Read again the parts of a message that were not understood',
    load: async () => (await import('./channels-messages.ts')).channelsReplay,
  },
  {
    name: 'codes list',
    summary: 'Show the codes of a channel that nobody knows, and what its codes mean',
    load: async () => (await import('./codes.ts')).codesList,
  },
  {
    name: 'codes map',
    summary: 'Say what a code of a channel means',
    load: async () => (await import('./codes.ts')).codesMap,
  },
  {
    name: 'codes unmap',
    summary: 'Take back what a code means',
    load: async () => (await import('./codes.ts')).codesUnmap,
  },
]
