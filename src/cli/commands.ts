/** Every command of the command line, in the order of the help, by the file that has it. */

import { commandsOf, type ListedCommand, loadCommand } from './framework/command.ts'

export const commands: readonly ListedCommand[] = [
  ...commandsOf(() => import('./client/track.ts'), {
    track: 'Track numbers, and wait for the answers of their lines',
  }),
  ...commandsOf(() => import('./client/lists.ts'), {
    shipments: 'List the shipments of the account, the latest changed first',
    containers: 'List the containers of the account, the latest changed first',
  }),
  ...commandsOf(() => import('./client/events.ts'), {
    events: 'Show the events of the account, and follow them',
  }),
  ...commandsOf(() => import('./client/webhooks-listen.ts'), {
    'webhooks listen': 'Send what a webhook would get to a program on this machine',
  }),
  ...commandsOf(() => import('./client/webhooks-check.ts'), {
    'webhooks check': 'Try a receiver on this machine with recorded deliveries, or with an example of each event',
  }),
  ...commandsOf(() => import('./client/infer.ts'), { infer: 'Show the kind and the line of a number' }),
  ...commandsOf(() => import('./explain.ts'), {
    explain: 'Show why a container or shipment has its values',
  }),
  {
    name: 'import',
    summary: 'Track the numbers of a CSV or XLSX table, or send its statements about containers, over the API',
    load: async () => (await import('./import.ts')).importTable,
  },
  ...commandsOf(() => import('./migration/migrate-check.ts'), {
    'migrate check': 'Show what another v2 installation tracks, and what of it can be tracked here',
  }),
  ...commandsOf(() => import('./migration/migrate-shadow.ts'), {
    'migrate shadow': 'Track here the numbers that another v2 installation tracks',
  }),
  ...commandsOf(() => import('./migration/migrate-diff.ts'), {
    'migrate diff': 'Compare the journeys of another v2 installation with those here, value by value',
  }),
  ...commandsOf(() => import('./reference-data/refdata-import.ts'), {
    'refdata import': 'Refresh reference data from a published list',
  }),
  ...commandsOf(() => import('./reference-data/refdata-check.ts'), {
    'refdata check': 'Compare our ports with the points of the SMDG terminal list',
  }),
  ...commandsOf(() => import('./reference-data/refdata-list.ts'), {
    'refdata list': 'Show the reference data with edition, rows and licence',
  }),
  ...commandsOf(() => import('./sources/connect.ts'), {
    connect: 'Give this installation access to a carrier, terminal or railroad, tried with a number of your own',
  }),
  ...commandsOf(() => import('./sources/sources-check.ts'), {
    'sources check': "Test this installation's access to a carrier with a number, and show the answer",
  }),
  ...commandsOf(() => import('./sources/sources-read.ts'), {
    'sources read': 'Show how an answer of a carrier is read; nothing is stored',
  }),
  ...commandsOf(() => import('./sources/sources-record.ts'), {
    'sources record': 'Write a recording of an answer that identifies nobody, to report a fault of reading',
  }),
  ...commandsOf(() => import('./sources/sources-changes.ts'), {
    'sources changes': 'Show what changed in the answers of carriers, and write an example that can be given to others',
  }),
  ...commandsOf(() => import('./sources/attest.ts'), {
    'attest verify': 'Check signed reports of installations about carriers; no installation is needed',
    'attest import': 'Count signed reports of other installations about carriers',
    'attest list': 'Show by which installations carriers were seen, and how well they were read',
  }),
  ...commandsOf(() => import('./sources/sources-read-table.ts'), {
    'sources read-table': 'Show how a table about containers is read; nothing is stored',
  }),
  ...commandsOf(() => import('./channels/channels.ts'), {
    'channels create': 'Create a channel for a carrier, terminal, railway or partner that sends by itself',
    'channels list': 'Show the channels through which partners send',
    'channels key': 'Give a channel a new key',
  }),
  ...commandsOf(() => import('./channels/channels-bind.ts'), {
    'channels bind': 'Give an account the releases, charges and pick-up numbers of a channel of the installation',
    'channels unbind':
      'Stop giving an account the releases, charges and pick-up numbers of a channel of the installation',
  }),
  ...commandsOf(() => import('./channels/channels.ts'), {
    'channels change': 'Close or open a channel, or change how its messages are read',
  }),
  ...commandsOf(() => import('./channels/channels-messages.ts'), {
    'channels messages': 'Show the messages of a channel and their results, newest first',
    'channels show-message': 'Show one message part by part, or write the received message to a file',
    'channels replay': 'Read again the parts of a message that were not understood',
  }),
  ...commandsOf(() => import('./channels/codes.ts'), {
    'codes list': 'Show the codes of a channel that nobody knows, and what its codes mean',
    'codes map': 'Set the meaning of a code of a channel',
    'codes unmap': 'Remove the meaning of a code',
  }),
  ...commandsOf(() => import('./documents/documents-model.ts'), {
    'documents model': "Switch the reading of an account's documents by a language model on or off",
  }),
  ...commandsOf(() => import('./documents/mailboxes.ts'), {
    'mailboxes list': 'List the addresses to which documents of an account are sent',
    'mailboxes create': 'Create an address to which documents of an account are sent',
    'mailboxes revoke': 'Stop accepting e-mail at an address',
    'mailboxes senders list': 'List the senders whose e-mail an account accepts',
    'mailboxes senders add': 'Accept the e-mail of a sender',
    'mailboxes senders remove': 'Stop accepting the e-mail of a sender',
  }),
  ...commandsOf(() => import('./scorecards/scorecards-share.ts'), {
    'scorecards share': 'Choose whether the scorecard of the installation counts an account',
  }),
  ...commandsOf(() => import('./inference/inference-evaluate.ts'), {
    'inference evaluate': 'Score carrier inference on a file of known numbers',
  }),
  ...commandsOf(() => import('./inference/inference-import.ts'), {
    'inference import': 'Teach carrier inference from a file of known numbers',
  }),
  ...commandsOf(() => import('./inference/inference-share.ts'), {
    'inference share': 'Choose whether other accounts learn from an account',
  }),
  ...commandsOf(() => import('./inference/inference-forget.ts'), {
    'inference forget': 'Delete everything that inference has learned from an account',
  }),
  ...commandsOf(() => import('./inference/inference-search.ts'), {
    'inference search': 'Set how many carriers are asked for a number whose carrier is unknown',
  }),
  ...commandsOf(() => import('./access/lines-enable.ts'), {
    'lines enable': 'Allow an account to track a carrier that needs permission',
    'lines disable': 'Withdraw from an account the permission to track a carrier',
  }),
  ...commandsOf(() => import('./access/limits.ts'), {
    'limits list': 'Show the rate limits of the settings, and the limits of single accounts',
    'limits set': 'Set a rate limit for one account, or remove it',
  }),
  ...commandsOf(() => import('./access/keys.ts'), {
    'keys create': 'Create an API key for an account',
    'keys list': 'Show the API keys of an account, masked',
    'keys delete': 'Delete an API key',
  }),
  ...commandsOf(() => import('./access/sign-in-link.ts'), {
    'sign-in-link': 'Print a link with which the first person signs in',
  }),
  ...commandsOf(() => import('./access/users.ts'), {
    'users list': 'Show who may sign in, and to which accounts',
    'users reset-link': 'Print a link with which a person chooses a new password',
    'users confirm-link': 'Print a link with which a person confirms an e-mail address for alerts',
  }),
  ...commandsOf(() => import('./access/oauth.ts'), {
    'oauth keys': 'Show the signing keys of the authorization server',
    'oauth rotate-key': 'Let the authorization server sign with a new key',
  }),
  ...commandsOf(() => import('./maintenance/issues.ts'), {
    issues: 'List data in answers of carriers that could not be read or was not believed',
  }),
  ...commandsOf(() => import('./maintenance/fields-check.ts'), {
    'fields check': 'List the patterns of custom fields that are stored but not checked',
  }),
  ...commandsOf(() => import('./maintenance/backup.ts'), {
    backup: 'Write a backup of the installation into one file, while it runs',
  }),
  ...commandsOf(() => import('./maintenance/backup-base.ts'), {
    'backup base': 'Copy the files of the private database into its archive, for restores to a moment',
  }),
  ...commandsOf(() => import('./maintenance/restore.ts'), {
    restore: 'Create an installation from a backup; it starts paused',
  }),
  ...commandsOf(() => import('./maintenance/resume.ts'), {
    resume: 'Let a restored installation poll carriers, send and deliver again',
  }),
  ...commandsOf(() => import('./maintenance/database-migrate.ts'), {
    'database migrate': 'Migrate the database to the schema of this version, and show the rights of the serving role',
  }),
  ...commandsOf(() => import('./maintenance/database-distribute.ts'), {
    'database distribute': 'Divide the tables among the nodes of a Citus cluster, by account',
  }),
  ...commandsOf(() => import('./maintenance/history.ts'), {
    'history status': 'Show how much of the stored history was read again with the readers and rules of this version',
    'history check': 'Compute all shipments again from the ledger, and compare them with what is served',
    'history rebuild': 'Compute all shipments again from the ledger, and repair what differs',
    'history reread': 'Read all stored answers again with the readers of this version, and announce corrections',
  }),
  ...commandsOf(() => import('./maintenance/snapshots.ts'), {
    'snapshots status': 'Show how many stored answers and messages are compressed in packs, and where the packs are',
    'snapshots pack': 'Compress stored answers and messages that are old enough, now',
    'snapshots check': 'Read every pack, also those in the file store, and compare each answer with its hash',
  }),
  ...commandsOf(() => import('./maintenance/workers.ts'), {
    workers: 'List the processes that work on this installation, and whether they are alive',
  }),
  ...commandsOf(() => import('./evidence/evidence-check.ts'), {
    'evidence check': 'Check a pack of evidence; no installation and no server is needed',
  }),
  ...commandsOf(() => import('./mcp.ts'), {
    mcp: 'Run an MCP server on standard input and output that passes requests on to Landfall with an API key',
  }),
  {
    name: 'completion',
    summary: 'Print what a shell needs to complete commands and options',
    load: async () =>
      (await import('./framework/completion.ts')).completionOf(() => Promise.all(commands.map(loadCommand))),
  },
]
