// The npm that started us, or the one in the path. Plain JavaScript that runs on Node 20 without packages, for a checkout
// and for the installed package.
import { spawn } from 'node:child_process'

/** Gives what npm printed to `said`. Throws an Error with a sentence when npm is not there. */
export function runNpm(args, { cwd }) {
  const { npm_execpath: npmScript, npm_node_execpath: npmNode } = process.env
  const [command, ...lead] = npmScript?.endsWith('.js') ? [npmNode ?? process.execPath, npmScript] : ['npm']
  const child = spawn(command, [...lead, ...args, '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes))
  return new Promise((resolve, reject) => {
    child.on('error', ({ code, message }) =>
      reject(
        new Error(
          code === 'ENOENT'
            ? 'npm was not found. Install Node.js 24 or newer with its npm.'
            : `npm could not be started: ${message}`,
        ),
      ),
    )
    child.on('close', (status) => resolve({ status, said: Buffer.concat(said).toString('utf8').trim() }))
  })
}

/** What to do when npm failed. */
export const afterFailure =
  'It must reach its registry once (see: npm config get registry) and write into this folder. Then start again.'
