/**
 * The source that receives ANSI X12: 315 (ocean status, in the dialects of lines and of terminals) and 322 (rail
 * ramps).
 */

import type { ToldSource } from '../told.ts'
import { cutIntoParts } from './parts.ts'
import { parseX12Profile, type X12Profile } from './profile.ts'
import { readPart } from './read.ts'

export function openX12Source(): ToldSource<X12Profile> {
  return {
    name: 'x12',
    version: 4,
    parseProfile: parseX12Profile,
    partsOf: cutIntoParts,
    read: readPart,
  }
}
