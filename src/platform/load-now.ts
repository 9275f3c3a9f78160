/** A module that is loaded when it is first needed, for callers that cannot wait: `import()` gives a promise. */

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** `file`: as `new URL('./x.ts', import.meta.url)`. The module and what it imports must not use top-level `await`. */
export function loadNow<Module>(file: URL): Module {
  return require(fileURLToPath(file)) as Module
}
