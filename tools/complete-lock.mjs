// Adds to package-lock.json the optional packages for other platforms. npm leaves them out when its registry has none
// of them (a mirror for one platform), and `npm ci` then refuses the lock file. Run it after every `npm install
// <package>`.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
const added = {}

for (const [parentPath, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const [flat, nested] = [`node_modules/${name}`, `${parentPath}/node_modules/${name}`]
    if (flat in lock.packages || nested in lock.packages || !/^\d+\.\d+\.\d+/.test(version)) continue
    added[flat] = { version, ...findPlatform(name), ...(parent.dev ? { dev: true } : {}), optional: true }
  }
}

lock.packages = Object.fromEntries(
  Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
)
if (Object.keys(added).length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`Added to package-lock.json: ${Object.keys(added).length} packages of other platforms.`)

/** The names of such packages contain their platform: cli-linux-x64-musl, binding-win32-arm64-msvc. */
function findPlatform(name) {
  const words = name.split(/[/-]/)
  const os = words.find((word) => /^(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32)$/.test(word))
  const cpu = words.find((word) => /^(arm|arm64|ia32|ppc64|riscv64|s390x|x64)$/.test(word))
  if (os === undefined || cpu === undefined) throw new Error(`For which platform is ${name}? Add it by hand.`)
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : null
  const isGnu = os === 'linux' && words.some((word) => word.startsWith('gnu'))
  return { cpu: [cpu], os: [os], ...((libc ?? isGnu) ? { libc: libc ?? ['glibc'] } : {}) }
}
