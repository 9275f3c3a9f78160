// Reporter of Node's test runner in the process of test-process.ts: tells the parent process at once what has failed.

import type { TestEvent } from 'node:test/reporters'
import type { Told } from './test-process.ts'

async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:fail' || (data.todo !== undefined && data.todo !== false)) continue
    const { cause, message } = data.details.error
    process.send?.({ kind: 'failed', test: data.name } satisfies Told)
    yield `${data.name}: ${cause instanceof Error ? cause.stack : message}\n`
  }
}

// biome-ignore lint/style/noDefaultExport: `--test-reporter` asks for one
export { report as default }
