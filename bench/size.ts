/** Whether a benchmark runs at its full size, which takes many minutes, or at one that takes less than two. */

export function isFull(): boolean {
  return process.argv.includes('--full')
}
