/**
 * Loaded before everything else, in each thread, for the WebAssembly build of `sharp`.
 *
 * It asks for a table of constants in a way that Node does not allow under its permission model: it gets the same table
 * from where it is public. And each of its threads would set aside half a gigabyte for machine code, which would leave
 * no room under the limit of the process (measured with Node 24.21 on x64: 539 MB, with this 31 MB).
 */

import { constants } from 'node:fs'
import threads, { Worker, type WorkerOptions } from 'node:worker_threads'

Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }) })

threads.Worker = class extends Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    super(file, { ...options, resourceLimits: { codeRangeSizeMb: 16, maxOldGenerationSizeMb: 96 } })
  }
}
