/**
 * How many predictions one core makes in process, compared with only parsing the same numbers; how long the model takes
 * to load, and how much memory it has, as shipped and with the outcomes of a large installation.
 */

import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import { createEvidence, learnOutcome } from '../../src/inference/evidence.ts'
import { makeInference } from '../../src/inference/infer.ts'
import { type Model, openModel } from '../../src/inference/model.ts'
import { nodeKey } from '../../src/inference/node-key.ts'
import type { Load } from './inference-load.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, seededChance, spread } from './measure.ts'
import { runProgram } from './program.ts'

const rounds = 5
const secondsPerSide = 1
const numbersCount = 20_000
const learnedCount = 200_000
const month = 2026 * 12 + 10
const lessors = ['TCNU', 'TEMU', 'TCLU', 'SEGU', 'TRIU', 'FCIU', 'CAIU', 'BMOU', 'TGHU', 'GESU', 'DFSU', 'BEAU']
const owners = ['MSKU', 'MEDU', 'CMAU', 'OOLU', 'HLBU', 'ONEU', 'EITU', 'YMMU']
const scacs = ['MAEU', 'MSCU', 'CMDU', 'OOLU', 'HLCU', 'ONEY', 'EGLV', 'YMLU']

export async function benchInference(): Promise<readonly Figure[]> {
  const chance = seededChance(20261120)
  const numbers = Array.from({ length: numbersCount }, () => makeNumber(chance))
  const own = createEvidence()
  const before = memoryMb()
  for (let index = 0; index < learnedCount; index += 1) {
    const number = makeNumber(chance)
    const node = nodeKey(number)
    const scac = scacs[leaseOf(number) % scacs.length] ?? 'MAEU'
    if (node !== null)
      learnOutcome(own, {
        node,
        scac,
        weight: 1,
        month: month - Math.floor(chance() * 24),
        bill: String(index),
      })
  }
  const learnedMb = memoryMb() - before
  progress(`inference: ${numbersCount} numbers, ${learnedCount} outcomes learned take ${Math.round(learnedMb)} MB`)
  const predictWith = (model: Model) => (number: string) => makeInference(number, model, { month, isExplained: false })
  const split = (number: string) => /^([A-Z]{4})?(\d*)/.exec(number)
  const figures: Figure[] = []
  for (const [what, model] of [
    ['the shipped model', openModel()],
    ['a model that learned 200,000 outcomes', openModel({ ownEvidence: own })],
  ] as const) {
    const predict = predictWith(model)
    for (const work of [predict, split]) await callsPerSecond(work, numbers, 0.5)
    const sides = await alternate(rounds, {
      ours: () => callsPerSecond(predict, numbers, secondsPerSide),
      limit: () => callsPerSecond(split, numbers, secondsPerSide),
    })
    const figure = median(sides.ours)
    figures.push({
      bench: 'inference',
      what: `Predictions in process with ${what}`,
      unit: 'predictions/s per core',
      figure,
      limit: { what: 'one regular expression over the same numbers', value: median(sides.limit) },
      ratio: medianRatio(sides),
      aim: 'at least 200,000 predictions/s',
      isMet: figure >= 200_000,
      note: `${rounds} rounds of ${secondsPerSide} s; ${spread(sides.ours)} against ${spread(sides.limit)}; a third of the numbers each are leased boxes, owned boxes and bills; without explanations`,
      postgres: null,
    })
  }
  return [...figures, await loadFigure(learnedMb)]
}

async function loadFigure(learnedMb: number): Promise<Figure> {
  const load = await runProgram<Load>(new URL('./inference-load.ts', import.meta.url), null)
  return {
    bench: 'inference',
    what: 'Loading the model in a fresh process, until the first prediction is made',
    unit: 'ms',
    figure: load.ms,
    limit: null,
    ratio: null,
    aim: 'under 250 ms',
    isMet: load.ms < 250,
    note: `registers, formats and shipped counts take ${load.mb.toFixed(1)} MB; ${learnedCount.toLocaleString('en-US')} outcomes more take ${Math.round(learnedMb)} MB`,
    postgres: null,
  }
}

/** Half of the boxes have a leasing company's code; each third number is a bill. */
function makeNumber(chance: () => number): string {
  const digits = (count: number) => String(Math.floor(chance() * 10 ** count)).padStart(count, '0')
  if (chance() < 1 / 3)
    return chance() < 0.5 ? `MEDU${'ABCDEFGH'.charAt(Math.floor(chance() * 8))}X${digits(6)}` : digits(9)
  const codes = chance() < 0.5 ? lessors : owners
  const ten = `${codes[Math.floor(chance() * codes.length)]}${digits(6)}`
  return `${ten}${containerCheckDigit(ten)}`
}

/** Each batch of a thousand consecutive boxes is with one carrier. */
function leaseOf(number: string): number {
  return Math.imul(Number(number.slice(4, 7)) + 31 * number.charCodeAt(2), 0x9e3779b1) >>> 16
}

async function callsPerSecond(
  work: (number: string) => unknown,
  numbers: readonly string[],
  seconds: number,
): Promise<number> {
  let calls = 0
  const took = await secondsOf(async () => {
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; calls += numbers.length) {
      for (const number of numbers) work(number)
    }
  })
  return calls / took
}

function memoryMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}
