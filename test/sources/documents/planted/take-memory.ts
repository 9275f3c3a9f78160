/** Run in the process in which documents are read: takes memory in the way that it is told, until there is none. */

const kept: unknown[] = []
const way = process.argv[2]
process.stdout.write('started\n')
for (;;) {
  if (way === 'heap') kept.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  else kept.push(Buffer.alloc(16 * 1_048_576, 1))
}
