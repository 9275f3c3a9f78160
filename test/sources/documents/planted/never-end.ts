/** Run in the process in which documents are read: answers a line and then goes on for ever, or answers for ever. */

process.stdout.write('started\n')
if (process.argv[2] === 'talk') talk()
else for (;;);

function talk(): void {
  process.stdout.write(`${'x'.repeat(65_536)}\n`, talk)
}
