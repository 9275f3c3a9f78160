// Shows how far an installation is: one line that changes on a terminal, a line every few seconds elsewhere.

const everyMs = { terminal: 200, elsewhere: 5_000 }
const cells = 24

/** `look` gives { done, all, what }, and `all` 0 where there is nothing to count. Returns a function that ends it. */
export function showProgress(look, out = process.stderr) {
  const startedAt = Date.now()
  const write = () => {
    const { done, all, what } = look()
    const seconds = `${Math.round((Date.now() - startedAt) / 1000)} s`
    const counts = all > 0 ? `${done} of ${all} ${what}` : what
    const filled = all > 0 ? Math.round((cells * done) / all) : 0
    if (!out.isTTY) out.write(`  ${counts}, ${seconds}\n`)
    else if (all > 0) out.write(`\r\x1b[K[${'='.repeat(filled).padEnd(cells)}] ${counts}, ${seconds}`)
    else out.write(`\r\x1b[K${counts}, ${seconds}`)
  }
  const timer = setInterval(write, out.isTTY ? everyMs.terminal : everyMs.elsewhere)
  return () => {
    clearInterval(timer)
    if (out.isTTY) out.write('\r\x1b[K')
  }
}
