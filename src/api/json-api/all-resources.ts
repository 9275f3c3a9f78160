/** Everything that the API can show. Who puts the program together gives it to those who write documents. */

import { giveKinds } from './find-kind.ts'
import { giveFinders } from './finders.ts'
import { finders } from './relation-finders.ts'
import { kinds } from './resource-kinds.ts'

export function giveAllResources(): void {
  giveKinds(kinds)
  giveFinders(finders)
}
