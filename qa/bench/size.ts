/**
 * Whether a benchmark runs at its full size, which takes many minutes, or at a size that takes less than two minutes.
 */

export function isFull(): boolean {
  return process.argv.includes('--full')
}
