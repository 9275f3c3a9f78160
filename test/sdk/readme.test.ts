// Every code block of the SDK's README and of the quickstarts compiles, each by itself, against the SDK.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every block of the README and of the quickstarts compiles with strict types', async () => {
  const blocks = ['sdk/typescript/README.md', 'docs/quickstarts.md'].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/```ts[^\n]*\n(.*?)```/gs)].map(([, block = '']) => block),
  )
  assert.ok(blocks.length > 6)
  const folder = mkdtempSync(join(tmpdir(), 'landfall-readme-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    for (const name of ['@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    const source = (name: string): string => join(root, 'sdk/typescript/src', name)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2024',
          lib: ['es2024', 'dom', 'dom.iterable'],
          module: 'nodenext',
          types: ['node'],
          strict: true,
          noEmit: true,
          allowImportingTsExtensions: true,
          paths: {
            'landfall-sdk': [source('landfall.ts')],
            'landfall-sdk/*': [source('*.ts')],
          },
        },
        include: ['*.mts'],
      }),
    )
    for (const [at, block] of blocks.entries()) {
      const needs = (name: string): boolean => !new RegExp(`const ${name}\\b`).test(block) && block.includes(name)
      const head = [
        `import type { Landfall } from 'landfall-sdk'`,
        ...(needs('landfall') ? ['declare const landfall: Landfall'] : []),
        ...(/\bid\b/.test(block) && !/[{,] id\b/.test(block) ? ['declare const id: string'] : []),
        ...(needs('shipment.$answer') ? [`declare const shipment: Awaited<ReturnType<Landfall['getShipment']>>`] : []),
      ]
      writeFileSync(join(folder, `block-${at}.mts`), `${head.join('\n')}\n${block}\nexport type Used = Landfall\n`)
    }
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (failed: { readonly stdout: string }) => failed,
    )
    assert.equal(stdout, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
