/**
 * `npm run qa -- inference-stream`: measures how fast a new installation learns, and how fast it notices that batches were
 * leased to another carrier.
 */

import { parseArgs } from 'node:util'
import { runStream, type StreamWindow } from '../tools/inference/stream.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261120' },
    batches: { type: 'string', default: '20' },
    outcomes: { type: 'string', default: '8000' },
  },
})
const windows = runStream({
  seed: Number(values.seed),
  outcomes: Number(values.outcomes),
  releaseAt: 5_000,
  batchesPerLessor: Number(values.batches),
})

const part = (right: number, of: number) => (of === 0 ? '    –' : (right / of).toFixed(3))
console.log('outcomes  all    leased  re-leased  auto: part  right  by bill: all  leased')
for (const window of windows) console.log(line(window))

function line(window: StreamWindow): string {
  return [
    String(window.until).padStart(8),
    part(window.right, window.boxes),
    part(window.leasedRight, window.leased),
    ` ${part(window.movedRight, window.moved)}    `,
    part(window.auto, window.boxes),
    `    ${part(window.autoRight, window.auto)}`,
    `       ${part(window.billRight, window.boxes)}`,
    part(window.billLeasedRight, window.leased),
  ].join('  ')
}
