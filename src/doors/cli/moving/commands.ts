import type { ListedCommand } from '../frame/command.ts'

export const movingCommands: readonly ListedCommand[] = [
  {
    name: 'migrate check',
    summary: 'Show what another v2 installation tracks, and what of it can be tracked here',
    load: async () => (await import('./migrate-check.ts')).migrateCheck,
  },
  {
    name: 'migrate shadow',
    summary: 'Track here the numbers that another v2 installation tracks',
    load: async () => (await import('./migrate-shadow.ts')).migrateShadow,
  },
  {
    name: 'migrate diff',
    summary: 'Compare the journeys of another v2 installation with those here, value by value',
    load: async () => (await import('./migrate-diff.ts')).migrateDiff,
  },
]
