/** The source that receives UN/EDIFACT: status reports (IFTSTA), gate reports (CODECO), quay reports (COARRI). */

import type { ToldSource } from '../told.ts'
import { partsOf } from './parts.ts'
import { type EdifactProfile, parseEdifactProfile } from './profile.ts'
import { readPart } from './read.ts'

export const edifactSource: ToldSource<EdifactProfile> = {
  name: 'edifact',
  version: 3,
  parseProfile: parseEdifactProfile,
  partsOf,
  read: readPart,
}
