/**
 * The loading part of the inference benchmark, in a fresh process: how long until the first prediction, and how much
 * memory.
 */

import { makeInference } from '../../src/inference/infer.ts'
import { openModel } from '../../src/inference/model.ts'

export interface Load {
  readonly ms: number
  readonly mb: number
}

const memory = () => process.memoryUsage().heapUsed / 2 ** 20
const before = memory()
const startedAt = performance.now()
const model = openModel()
for (const number of ['CSQU3054383', 'MEDUAB123456', '123456789']) makeInference(number, model, { month: 2026 * 12 })
const load: Load = { ms: performance.now() - startedAt, mb: memory() - before }
process.stdout.write(`${JSON.stringify(load)}\n`)
