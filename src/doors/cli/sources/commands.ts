import type { ListedCommand } from '../frame/command.ts'

export const sourceCommands: readonly ListedCommand[] = [
  {
    name: 'sources check',
    summary: "Test this installation's access to a carrier with a number, and show the answer",
    load: async () => (await import('./sources-check.ts')).sourcesCheck,
  },
  {
    name: 'sources read',
    summary: 'Show how an answer of a carrier is read; nothing is stored',
    load: async () => (await import('./sources-read.ts')).sourcesRead,
  },
  {
    name: 'sources read-table',
    summary: 'Show how a table about containers is read; nothing is stored',
    load: async () => (await import('./sources-read-table.ts')).sourcesReadTable,
  },
]
