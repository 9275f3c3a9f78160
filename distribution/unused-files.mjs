// Takes out of installed packages what the program never reads: source maps, and second and third variants of the same
// thing. `node unused-files.mjs <node_modules>` does it for a folder. Plain JavaScript that runs on Node 20.
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** By package: files whose path in it fits go. */
const unused = {
  // Only the variants with the LSTM alone are loaded, each from its .js and .wasm (pages/recognize.ts).
  'tesseract.js-core': /^(?!.*-lstm\.)tesseract-core.*|\.wasm\.js$/,
  // Only 4.0.0_best_int is read.
  '@tesseract.js-data/eng': /^4\.0\.0$/,
  // What is for browsers and workers, with the same program once more as text.
  '@hyzyla/pdfium': /^dist\/(pdfium\.wasm\.base64.*|index\.esm\.(base64|browser|cdn|worker)\.js|worker.*)$/,
  // What it is developed with, and a bundle for browsers.
  pdfkit: /^\.yarn$|^js\/pdfkit\.standalone\.js$/,
  'maplibre-gl': /^(src|dist\/.*-dev\.mjs)$/,
}

export function removeUnusedFiles(modules) {
  for (const [name, pattern] of Object.entries(unused)) {
    const folder = join(modules, name)
    if (existsSync(folder)) sweep(folder, (path) => pattern.test(path))
  }
  sweep(modules, (path) => path.endsWith('.map'))
}

/** Links are not followed: they lead to workspaces. */
function sweep(folder, isUnused, within = '') {
  for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (isUnused(path)) rmSync(join(folder, path), { recursive: true, force: true })
    else if (entry.isDirectory()) sweep(folder, isUnused, path)
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [modules] = process.argv.slice(2)
  if (modules === undefined) throw new Error('Usage: node unused-files.mjs <node_modules>')
  removeUnusedFiles(modules)
}
