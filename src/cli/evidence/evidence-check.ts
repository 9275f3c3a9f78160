/** `landfall evidence check`: whether a pack of evidence is authentic, without any server. */

import { checkFiles, checkLines } from '../../platform/evidence/check-files.ts'
import { defineCommand } from '../framework/command.ts'

export const evidenceCheck = defineCommand({
  about: `Checks who signed the pack, whether the ledger had its statements when a root was made, and whether that root is the one
that you hold. It does the same as the file docs/check-evidence.mjs, which needs only Node 20. docs/provenance.md says what a
pack does not prove.
Exits with 1 when a check fails.`,
  operands: [{ name: 'file', about: 'the pack, as /v2/invoices/audits/{id}/evidence answered' }],
  options: {
    root: {
      type: 'string',
      value: '<file>',
      about: 'roots that you hold: an answer of /v2/ledger_roots, or a webhook',
    },
    keys: { type: 'string', value: '<file>', about: 'the published keys, not taken from the pack' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['evidence check pack.json --root roots.json --keys keys.json'],
  run: async ({ operands, options, shell }) => {
    const checked = checkFiles({
      pack: operands[0] ?? '',
      roots: options.root === null ? [] : [options.root],
      keys: options.keys,
    })
    if (options.json) shell.print(JSON.stringify(checked, null, 2))
    else for (const line of checkLines(checked)) shell.print(line)
    return checked.isGood ? 0 : 1
  },
})
