// The arguments of `npm run qa -- mutants`.

import { parseArgs } from 'node:util'

export const usage = `Usage: npm run qa -- mutants [--seed 1] [--count 100] [--budget-s 30] [--minutes N] [--slots 2]
                        [--json FILE] [--from FILE] [--list FILE] [--at-least PERCENT] [--plant none]

Plants small faults (mutants) in src/, one at a time in a copy of the checkout, as many in each room, and runs for each
the tests that load the file, the nearest first, until one fails. Needs 100 MB of the temporary folder; 20 to 40 minutes
for 100 on two cores.
  --seed      chooses the mutants: the same code and seed give the same ones, and a larger count begins with those of
              a smaller
  --budget-s  how many seconds of tests are run for one mutant, by what these tests cost in test/mutants.json. The first
              test is run in any case; tests with a browser or the whole program only where no other loads the file
  --minutes   begins no further mutant after so many
  --slots     so many side by side
  --json      writes the mutants and what became of them, also while it runs
  --from      the mutants of such a file instead of chosen ones, as far as their lines are still there, and says what
              became worse. test/mutants.json is what stands at present
  --list      only writes which mutants were chosen
  --at-least  fails when fewer of a hundred are found
  --plant none  plants nothing: whatever is found then is found for no reason
  --root      another checkout
Exits with 0 when it has run; 1 when a mutant that was found before is not found any more, fewer were found than
--at-least, or something was found with --plant none; 2 when it could not be run; 130 when it was interrupted.`

export interface Options {
  readonly seed: number
  /** null: all of a list, or a hundred. */
  readonly count: number | null
  /** null: that of a list, or half a minute. */
  readonly budgetS: number | null
  readonly minutes: number
  readonly slots: number
  readonly json: string | null
  readonly from: string | null
  readonly list: string | null
  readonly atLeast: number
  readonly isPlanted: boolean
  readonly root: string | null
  readonly isHelp: boolean
}

/** null when they cannot be understood. */
export function readOptions(args: readonly string[]): Options | null {
  try {
    const { values } = parseArgs({ args: [...args], options })
    const numbers = {
      seed: readWhole(values.seed, 0),
      count: values.count === undefined ? null : readWhole(values.count, 1),
      budgetS: values['budget-s'] === undefined ? null : readWhole(values['budget-s'], 1),
      minutes: values.minutes === undefined ? Number.POSITIVE_INFINITY : readWhole(values.minutes, 1),
      slots: readWhole(values.slots, 1),
      atLeast: readWhole(values['at-least'], 0),
    }
    if (values.plant !== undefined && values.plant !== 'none') return null
    const { json = null, from = null, list = null, root = null } = values
    return { ...numbers, json, from, list, root, isPlanted: values.plant === undefined, isHelp: values.help }
  } catch {
    return null
  }
}

const options = {
  seed: { type: 'string', default: '1' },
  count: { type: 'string' },
  'budget-s': { type: 'string' },
  minutes: { type: 'string' },
  slots: { type: 'string', default: '2' },
  json: { type: 'string' },
  from: { type: 'string' },
  list: { type: 'string' },
  'at-least': { type: 'string', default: '0' },
  plant: { type: 'string' },
  root: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

function readWhole(text: string, least: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least) throw new RangeError(text)
  return value
}
