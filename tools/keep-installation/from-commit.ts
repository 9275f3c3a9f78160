/** Makes the installation with the code of another commit, in a temporary git worktree. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Runs the tool of that commit. Returns its exit code. */
export async function keepFromCommit(commit: string, out: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-keep-'))
  const tree = join(folder, 'tree')
  git('worktree', 'add', '--detach', tree, commit)
  try {
    const tool = join(tree, 'tools/keep-installation.ts')
    if (!existsSync(tool)) throw new Error(`${commit} is older than this tool and cannot keep an installation.`)
    const lock = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8')
    // When the packages are the same, they are linked. Otherwise the tool installs them when it starts.
    if (lock(tree) === lock(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
    const child = spawn(process.execPath, [join(tree, 'tools/run.mjs'), 'tools/keep-installation.ts', resolve(out)], {
      cwd: tree,
      stdio: 'inherit',
    })
    // On an interrupt the child is ended, so that the worktree is removed below.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    return await new Promise((done) => child.once('exit', (code) => done(code ?? 1)))
  } finally {
    git('worktree', 'remove', '--force', tree)
    rmSync(folder, { recursive: true, force: true })
  }
}
