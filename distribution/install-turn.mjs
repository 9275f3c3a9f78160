// One process at a time installs into a folder; the others wait for it. The lock is a folder, and may hold what the
// installation makes: it goes with the lock, also when the process was killed.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `install` unless `isDone`, with the lock in hand. */
export async function inTurn(lock, { isDone, install, onWait }) {
  for (let waits = false; !isDone(); waits = true) {
    if (takeLock(lock)) {
      try {
        if (!isDone()) await install()
      } finally {
        rmSync(lock, { recursive: true, force: true })
      }
      return
    }
    if (!waits) onWait()
    await new Promise((wake) => setTimeout(wake, 250))
  }
}

/**
 * mkdir is the lock: only one of several processes succeeds. A lock whose process is gone is moved away, and taken at
 * the next try.
 */
function takeLock(lock) {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Error(`The packages cannot be installed here: ${error.message}`)
  }
  const pid = existsSync(join(lock, 'pid')) ? Number(readFileSync(join(lock, 'pid'), 'utf8')) : 0
  const ageMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const isStale = pid > 0 ? !isAlive(pid) || ageMs > 15 * 60_000 : ageMs > 10_000
  if (!isStale) return false
  try {
    renameSync(lock, `${lock}-${process.pid}`)
    rmSync(`${lock}-${process.pid}`, { recursive: true, force: true })
  } catch {} // another start was faster; the next try sees the result
  return false
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
