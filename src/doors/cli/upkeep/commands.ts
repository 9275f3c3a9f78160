import type { ListedCommand } from '../frame/command.ts'

export const upkeepCommands: readonly ListedCommand[] = [
  {
    name: 'issues',
    summary: 'List data in answers of carriers that could not be read or was not believed',
    load: async () => (await import('./issues.ts')).issues,
  },
  {
    name: 'fields check',
    summary: 'List the patterns of custom fields that are stored but not checked',
    load: async () => (await import('./fields-check.ts')).fieldsCheck,
  },
  {
    name: 'backup',
    summary: 'Write a backup of the installation into one file, while it runs',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'backup base',
    summary: 'Copy the files of the private database into its archive, for restores to a moment',
    load: async () => (await import('./backup-base.ts')).backupBase,
  },
  {
    name: 'restore',
    summary: 'Make an installation of a backup; it starts paused',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'resume',
    summary: 'Let a restored installation ask carriers, send and deliver again',
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'database migrate',
    summary: 'Migrate the database to the schema of this version, and show the rights of the serving role',
    load: async () => (await import('./database-migrate.ts')).databaseMigrate,
  },
  {
    name: 'database distribute',
    summary: 'Divide the tables among the nodes of a Citus cluster, by account',
    load: async () => (await import('./database-distribute.ts')).databaseDistribute,
  },
  {
    name: 'history status',
    summary: 'Show how much of the stored history was read again with the readers and rules of this version',
    load: async () => (await import('./history-status.ts')).historyStatus,
  },
  {
    name: 'snapshots status',
    summary: 'Show how many stored answers and messages are compressed in packs, and where the packs are',
    load: async () => (await import('./snapshots.ts')).snapshotsStatus,
  },
  {
    name: 'snapshots pack',
    summary: 'Compress stored answers and messages that are old enough, now',
    load: async () => (await import('./snapshots.ts')).snapshotsPack,
  },
  {
    name: 'snapshots check',
    summary: 'Read every pack, also those in the file store, and compare each answer with its hash',
    load: async () => (await import('./snapshots.ts')).snapshotsCheck,
  },
  {
    name: 'workers',
    summary: 'List the processes that work on this installation, and whether they live',
    load: async () => (await import('./workers.ts')).workers,
  },
]
