// The version of this program, as in its package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFolder } from './program-folders.ts'

export const programVersion: string = (
  JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8')) as { readonly version: string }
).version
