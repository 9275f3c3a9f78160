/** The source that receives UN/EDIFACT: status reports (IFTSTA), gate reports (CODECO), quay reports (COARRI). */

import type { PushedSource } from '../pushed-source.ts'
import { type EdifactProfile, parseEdifactProfile } from './profile.ts'
import { readMessagePart } from './read-message-part.ts'
import { splitDelivery } from './split-delivery.ts'

export const edifactSource: PushedSource<EdifactProfile> = {
  name: 'edifact',
  version: 5,
  parseProfile: parseEdifactProfile,
  splitDelivery,
  read: readMessagePart,
}
