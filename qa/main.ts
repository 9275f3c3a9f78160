/** `npm run qa`: the proofs and benches, and the commands that keep figures and records in this repository. */

interface Task {
  readonly file: string
  readonly about: string
  /** Of a file without a help of its own. */
  readonly usage?: string
}

const groups: Readonly<Record<string, Readonly<Record<string, Task>>>> = {
  'Proofs: the program is treated badly, and nothing may be lost, sent twice or invented': {
    kill: { file: './kill.ts', about: 'kills the program at random moments of a busy day' },
    chaos: { file: './chaos.ts', about: 'receivers fail, a carrier repeats itself, the database stops' },
    upgrade: { file: './upgrade.ts', about: 'upgrades from a release while customers work' },
    intake: { file: './intake.ts', about: 'sends one journey in every format: the result must be the same' },
    sandbox: { file: './sandbox.ts', about: 'follows sandbox journeys: do all attributes come?' },
    rebuild: { file: './rebuild-proof.ts', about: 'computes months of work again from the ledger', usage: '' },
    fuzz: { file: './fuzz.ts', about: 'sends hostile requests to every operation of the API' },
    dcsa: { file: './dcsa.ts', about: 'reads our DCSA answers as a carrier: is it the same journey?' },
    mcp: { file: './mcp-conformance.ts', about: 'the official conformance suite of MCP', usage: '' },
    oauth: { file: './oauth-conformance.ts', about: 'the official conformance suite of MCP authorization', usage: '' },
    client: {
      file: './generated-client.ts',
      about: 'a client that other people’s tools generate from the description',
      usage: '',
    },
    mutants: { file: './mutants.ts', about: 'plants faults in src/ and counts how many the tests find' },
    all: { file: './all.ts', about: 'all proofs in turn, for a night; --brief: a small part of each' },
  },
  Benches: {
    bench: { file: './bench/main.ts', about: 'speed, each figure beside a limit measured in the same run' },
  },
  'Records that this repository keeps': {
    invariants: { file: '../tools/invariants.ts', about: 'names that must not change' },
    told: { file: '../tools/told-stories.ts', about: 'what the merge rules make of every story', usage: '' },
    size: { file: '../tools/size.ts', about: 'lines and files by folder, at some commits' },
    'keep-installation': { file: '../tools/keep-installation.ts', about: 'stores an installation for later upgrades' },
    'train-inference': {
      file: '../tools/train-inference.ts',
      about: 'trains the model that infers the carrier',
      usage: '--from <file> [--judge]',
    },
    'inference-stream': {
      file: './inference-stream.ts',
      about: 'how fast a new installation learns',
      usage: '[--seed 20261120] [--batches 20] [--outcomes 8000]',
    },
    'map-pictures': {
      file: '../tools/map-pictures.ts',
      about: 'draws the map documents of journeys',
      usage: '[--to <folder>] [--seconds 150]',
    },
    'install-sizes': {
      file: '../tools/install-sizes.ts',
      about: 'what the packages of this checkout weigh',
      usage: '[how many]',
    },
  },
}

const help = `Usage: npm run qa -- <name> [options]

${Object.entries(groups)
  .map(([title, tasks]) =>
    [`${title}:`, ...Object.entries(tasks).map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`)].join('\n'),
  )
  .join('\n\n')}

\`npm run qa -- <name> --help\` explains the options. Proofs and benches work in folders and on ports of their own, and send nothing
beyond this machine (\`client\` alone installs packages of npm). Each exits with 0 when all is well, 1 when a fault was found, 2 when it was called wrongly.`

const [name = '--help'] = process.argv.splice(2, 1)
const task = Object.values(groups).find((tasks) => Object.hasOwn(tasks, name))?.[name]
if (task?.usage !== undefined && process.argv.includes('--help')) {
  process.stdout.write(`Usage: npm run qa -- ${name} ${task.usage}\n\n${task.about}\n`)
} else if (task !== undefined) {
  const loaded = (await import(task.file)) as { readonly main?: () => Promise<void> }
  // What tests use too runs only when it is called.
  await loaded.main?.()
} else if (['--help', '-h', 'help'].includes(name)) process.stdout.write(`${help}\n`)
else {
  process.stderr.write(`There is no ${name}.\n\n${help}\n`)
  process.exitCode = 2
}
