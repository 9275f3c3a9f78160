/** Everything that the API can show. Who puts the program together gives it to those who write documents. */

import { registerKinds } from './find-kind.ts'
import { registerFinders } from './finders.ts'
import { finders } from './relation-finders.ts'
import { kinds } from './resource-kinds.ts'

export function registerAllResources(): void {
  registerKinds(kinds)
  registerFinders(finders)
}
