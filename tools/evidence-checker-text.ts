// Bundles the checker of evidence into one file.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export async function writeChecker(): Promise<string> {
  const entry = fileURLToPath(new URL('../src/platform/evidence/stand-alone.ts', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      target: 'node20',
      minify: false,
      write: false,
      rollupOptions: { output: { format: 'es' } },
    },
  })
  const [bundle] = [built].flat()
  if (bundle === undefined || !('output' in bundle)) throw new Error('nothing was bundled')
  const code = bundle.output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : [])).join('\n')
  return `#!/usr/bin/env node\n// Checks a pack of evidence of Landfall. Written by tools/evidence-checker.ts; see docs/provenance.md.\n${code}`
}
