// Writes docs/configuration.md and src/platform/setting-names.json from the table of settings, or with `--check` says
// whether they are what it would write. Run it after a change there; a test compares them too.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeConfigPage, writeSettingNames } from './config-page-text.ts'

const isCheck = process.argv.includes('--check')
for (const [name, text] of [
  ['docs/configuration.md', writeConfigPage()],
  ['src/platform/setting-names.json', writeSettingNames()],
] as const) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) process.exitCode = 1
  else continue
  console.log(`${isCheck ? 'Differs' : 'Written'}: ${fileURLToPath(file)}`)
}
