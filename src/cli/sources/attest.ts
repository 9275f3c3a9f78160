/** `landfall attest`: checks, imports and lists signed reports of installations about lines. */

import { readFile } from 'node:fs/promises'
import { type Attestation, checkAttestation } from '../../modules/attestations/attestation.ts'
import { importAttestation, summarizeAttestations } from '../../modules/attestations/attestations.ts'
import { tableLines } from '../client/text-table.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

const files = {
  name: 'file',
  about: 'attestations, as `sources check --attest` writes them',
  isRepeated: true,
} as const

export const attestVerify = defineCommand({
  about: `Checks form and signature of each file. No installation is needed. A valid signature proves that one installation
wrote the report and nobody changed it, not that the report is true.
Exits with 1 when one is not valid.`,
  operands: [files],
  examples: ['attest verify attestations/*.json'],
  run: async ({ operands, shell }) => {
    let isGood = true
    for (const [file, text] of await readFiles(operands)) {
      const checked = checkAttestation(text)
      isGood &&= checked.ok
      shell.print(checked.ok ? `${file}: valid, ${describe(checked.value)}` : `${file}: not valid: ${checked.reason}.`)
    }
    return isGood ? 0 : 1
  },
})

export const attestImport = defineCommand({
  about: `Checks each file as \`attest verify\` does and stores it, so that GET /v2/shipping_lines counts it and answers are
compared with it. Those in the folder attestations/ of the program count without it.
Exits with 1 when one is not stored.`,
  operands: [files],
  options: {
    simulated: {
      type: 'boolean',
      about: 'also those of simulated lines, for a trial: they are listed and never count',
    },
  },
  examples: ['attest import HLCU.json'],
  run: async ({ operands, options, shell }) => {
    const texts = await readFiles(operands)
    const service = await shell.openService()
    let isGood = true
    for (const [file, text] of texts) {
      const result = await importAttestation(service, { text, takesSimulated: options.simulated })
      isGood &&= result.ok
      if (!result.ok) shell.print(`${file}: not stored: ${result.reason}.`)
      else
        shell.print(
          `${file}: ${result.value.isNew ? 'stored' : 'there already'}, ${describe(result.value.attestation)}`,
        )
    }
    return isGood ? 0 : 1
  },
})

export const attestList = defineCommand({
  about:
    'Shows by line how many installations reported, when last, with which reader, the share of events that was read, and codes that are not known. Of each installation the newest report counts.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  examples: ['attest list'],
  run: async ({ options, shell }) => {
    const summaries = await summarizeAttestations(await shell.openService())
    if (options.json) {
      const asJson = summaries.map(
        ({ lastOn, isSimulated, readers, readShare, unknownCodes, shownCodes, ...line }) => ({
          ...line,
          last_on: lastOn,
          simulated: isSimulated,
          readers,
          read_share: readShare,
          unknown_codes: unknownCodes,
          shown_codes: shownCodes,
        }),
      )
      shell.print(JSON.stringify(asJson, null, 2))
      return 0
    }
    if (summaries.length === 0) shell.print('No line is attested.')
    const rows = summaries.map(({ scac, isSimulated, installations, lastOn, readers, ...line }) => [
      isSimulated ? `${scac} (simulated)` : scac,
      installations,
      lastOn,
      readers.join(', '),
      line.readShare === null ? null : `${(line.readShare * 100).toFixed(1)} %`,
      Object.entries(line.unknownCodes)
        .map(([name, count]) => [name, count, ...(line.shownCodes[name] ?? [])].join(' '))
        .join('; '),
    ])
    if (summaries.length > 0)
      for (const line of tableLines(['Line', 'Installations', 'Last', 'Reader', 'Events read', 'Unknown codes'], rows))
        shell.print(line)
    return 0
  },
})

async function readFiles(names: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  if (names.length === 0) throw new UsageError('Give one file or more.')
  return Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const))
}

function describe({ line, day, answers, key, simulated }: Attestation): string {
  return `${line}, ${day}, answers: ${answers}, installation ${key.slice(0, 8)}${simulated ? ', simulated' : ''}`
}
