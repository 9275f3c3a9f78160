import type { ListedCommand } from '../frame/command.ts'

export const refdataCommands: readonly ListedCommand[] = [
  {
    name: 'refdata import',
    summary: 'Refresh reference data from a published list',
    load: async () => (await import('./refdata-import.ts')).refdataImport,
  },
  {
    name: 'refdata check',
    summary: 'Compare our ports with the points of the SMDG terminal list',
    load: async () => (await import('./refdata-check.ts')).refdataCheck,
  },
  {
    name: 'refdata list',
    summary: 'Show the reference data with edition, rows and licence',
    load: async () => (await import('./refdata-list.ts')).refdataList,
  },
]
