/** Every command of the command line, in the order in which the help lists them. */

import type { Command } from './command.ts'
import { inferenceEvaluate } from './inference-evaluate.ts'
import { inferenceForget } from './inference-forget.ts'
import { inferenceImport } from './inference-import.ts'
import { inferenceShare } from './inference-share.ts'
import { limitsList, limitsSet } from './limits.ts'
import { linesDisable, linesEnable } from './lines-enable.ts'
import { refdataCheck } from './refdata-check.ts'
import { refdataImport } from './refdata-import.ts'
import { refdataList } from './refdata-list.ts'

export const commands: readonly Command[] = [
  refdataImport,
  refdataCheck,
  refdataList,
  linesEnable,
  linesDisable,
  inferenceEvaluate,
  inferenceImport,
  inferenceShare,
  inferenceForget,
  limitsList,
  limitsSet,
]
