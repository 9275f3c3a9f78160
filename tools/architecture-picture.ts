// Draws docs/pictures/architecture.svg from the imports of src/. A test compares the picture with the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawArchitecture } from './architecture-picture-text.ts'

const picture = new URL('../docs/pictures/architecture.svg', import.meta.url)
const root = fileURLToPath(new URL('../', import.meta.url))
const paths = (await Array.fromAsync(glob('src/**/*.ts', { cwd: root }))).sort()
writeFileSync(picture, drawArchitecture(new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]))))
console.log(`Written: ${fileURLToPath(picture)}`)
