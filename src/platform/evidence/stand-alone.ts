/** `node check-evidence.mjs <pack> [--root <file>]… [--keys <file>] [--json]`, bundled into one file without packages. */

import { parseArgs } from 'node:util'
import { checkFiles, checkLines } from './check-files.ts'

const usage = 'Usage: node check-evidence.mjs <pack.json> [--root <file>]… [--keys <file>] [--json]'
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', multiple: true },
      keys: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const [pack, ...more] = positionals
  if (values.help === true) console.log(usage)
  else if (pack === undefined || more.length > 0) throw new Error(usage)
  else {
    const checked = checkFiles({ pack, roots: values.root ?? [], keys: values.keys ?? null })
    console.log(values.json === true ? JSON.stringify(checked, null, 2) : checkLines(checked).join('\n'))
    process.exitCode = checked.isGood ? 0 : 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
