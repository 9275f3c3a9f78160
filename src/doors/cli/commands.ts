/** Every command of the command line, in the order in which the help lists them. */

import { channelsChange, channelsCreate, channelsKey, channelsList } from './channels.ts'
import { channelsBind, channelsUnbind } from './channels-bind.ts'
import { channelsMessages, channelsReplay, channelsShowMessage } from './channels-messages.ts'
import type { Command } from './command.ts'
import { databaseMigrate } from './database-migrate.ts'
import { explain } from './explain.ts'
import { fieldsCheck } from './fields-check.ts'
import { historyStatus } from './history-status.ts'
import { importTable } from './import.ts'
import { inferenceEvaluate } from './inference-evaluate.ts'
import { inferenceForget } from './inference-forget.ts'
import { inferenceImport } from './inference-import.ts'
import { inferenceSearch } from './inference-search.ts'
import { inferenceShare } from './inference-share.ts'
import { issues } from './issues.ts'
import { keysCreate, keysDelete, keysList } from './keys.ts'
import { limitsList, limitsSet } from './limits.ts'
import { linesDisable, linesEnable } from './lines-enable.ts'
import { mcp } from './mcp.ts'
import { oauthKeys, oauthRotateKey } from './oauth.ts'
import { refdataCheck } from './refdata-check.ts'
import { refdataImport } from './refdata-import.ts'
import { refdataList } from './refdata-list.ts'
import { signInLink } from './sign-in-link.ts'
import { sourcesCheck } from './sources-check.ts'
import { sourcesRead } from './sources-read.ts'
import { sourcesReadTable } from './sources-read-table.ts'
import { usersList, usersResetLink } from './users.ts'

export const commands: readonly Command[] = [
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
  sourcesReadTable,
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
  databaseMigrate,
  historyStatus,
  keysCreate,
  keysList,
  keysDelete,
  mcp,
  signInLink,
  usersList,
  usersResetLink,
  oauthKeys,
  oauthRotateKey,
]
