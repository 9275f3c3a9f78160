// Loaded before a program (`node --import`): writes when it loaded which file, a line of JSON each. What other threads of
// it load does not hold it up.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (isMainThread && url.startsWith('file:'))
      appendFileSync(process.env.NOTE_LOADS_IN, `${JSON.stringify({ url, atMs: Date.now() })}\n`)
    return loaded
  },
})
