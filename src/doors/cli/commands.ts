/** Every command of the command line, in the order of the help. */

import { keysCreate, keysDelete, keysList } from './access/keys.ts'
import { limitsList, limitsSet } from './access/limits.ts'
import { linesDisable, linesEnable } from './access/lines-enable.ts'
import { oauthKeys, oauthRotateKey } from './access/oauth.ts'
import { signInLink } from './access/sign-in-link.ts'
import { usersList, usersResetLink } from './access/users.ts'
import { events } from './asking/events.ts'
import { infer } from './asking/infer.ts'
import { containers, shipments } from './asking/lists.ts'
import { track } from './asking/track.ts'
import { webhooksCheck } from './asking/webhooks-check.ts'
import { webhooksListen } from './asking/webhooks-listen.ts'
import { channelsChange, channelsCreate, channelsKey, channelsList } from './channels/channels.ts'
import { channelsBind, channelsUnbind } from './channels/channels-bind.ts'
import { channelsMessages, channelsReplay, channelsShowMessage } from './channels/channels-messages.ts'
import { codesList, codesMap, codesUnmap } from './channels/codes.ts'
import { documentsModel } from './documents/documents-model.ts'
import {
  mailboxesCreate,
  mailboxesList,
  mailboxesRevoke,
  sendersAdd,
  sendersList,
  sendersRemove,
} from './documents/mailboxes.ts'
import { evidenceCheck } from './evidence/evidence-check.ts'
import { explain } from './explain.ts'
import type { Command } from './frame/command.ts'
import { completionOf } from './frame/completion.ts'
import { importTable } from './import.ts'
import { inferenceEvaluate } from './inference/inference-evaluate.ts'
import { inferenceForget } from './inference/inference-forget.ts'
import { inferenceImport } from './inference/inference-import.ts'
import { inferenceSearch } from './inference/inference-search.ts'
import { inferenceShare } from './inference/inference-share.ts'
import { mcp } from './mcp.ts'
import { migrateCheck } from './moving/migrate-check.ts'
import { migrateDiff } from './moving/migrate-diff.ts'
import { migrateShadow } from './moving/migrate-shadow.ts'
import { refdataCheck } from './refdata/refdata-check.ts'
import { refdataImport } from './refdata/refdata-import.ts'
import { refdataList } from './refdata/refdata-list.ts'
import { sourcesCheck } from './sources/sources-check.ts'
import { sourcesRead } from './sources/sources-read.ts'
import { sourcesReadTable } from './sources/sources-read-table.ts'
import { backup } from './upkeep/backup.ts'
import { backupBase } from './upkeep/backup-base.ts'
import { databaseDistribute } from './upkeep/database-distribute.ts'
import { databaseMigrate } from './upkeep/database-migrate.ts'
import { fieldsCheck } from './upkeep/fields-check.ts'
import { historyStatus } from './upkeep/history-status.ts'
import { issues } from './upkeep/issues.ts'
import { restore } from './upkeep/restore.ts'
import { resume } from './upkeep/resume.ts'
import { snapshotsCheck, snapshotsPack, snapshotsStatus } from './upkeep/snapshots.ts'
import { workers } from './upkeep/workers.ts'

export const commands: readonly Command[] = [
  track,
  shipments,
  containers,
  events,
  webhooksListen,
  webhooksCheck,
  infer,
  migrateCheck,
  migrateShadow,
  migrateDiff,
  importTable,
  refdataImport,
  refdataCheck,
  refdataList,
  explain,
  issues,
  sourcesCheck,
  sourcesRead,
  channelsCreate,
  channelsList,
  channelsKey,
  channelsBind,
  channelsUnbind,
  channelsChange,
  channelsMessages,
  channelsShowMessage,
  channelsReplay,
  codesList,
  codesMap,
  codesUnmap,
  sourcesReadTable,
  documentsModel,
  evidenceCheck,
  mailboxesList,
  mailboxesCreate,
  mailboxesRevoke,
  sendersList,
  sendersAdd,
  sendersRemove,
  linesEnable,
  linesDisable,
  inferenceEvaluate,
  inferenceImport,
  inferenceShare,
  inferenceForget,
  inferenceSearch,
  limitsList,
  limitsSet,
  fieldsCheck,
  backup,
  backupBase,
  restore,
  resume,
  databaseMigrate,
  databaseDistribute,
  historyStatus,
  snapshotsStatus,
  snapshotsPack,
  snapshotsCheck,
  workers,
  keysCreate,
  keysList,
  keysDelete,
  mcp,
  signInLink,
  usersList,
  usersResetLink,
  oauthKeys,
  oauthRotateKey,
  completionOf(() => commands),
]
