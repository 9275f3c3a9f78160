/**
 * The source that receives ANSI X12: 315 (ocean status, in the dialects of lines and of terminals) and 322 (rail
 * ramps).
 */

import type { PushedSource } from '../pushed-source.ts'
import { parseX12Profile, type X12Profile } from './profile.ts'
import { readMessagePart } from './read-message-part.ts'
import { splitDelivery } from './split-delivery.ts'

export function openX12Source(): PushedSource<X12Profile> {
  return {
    name: 'x12',
    version: 5,
    parseProfile: parseX12Profile,
    splitDelivery: splitDelivery,
    read: readMessagePart,
  }
}
