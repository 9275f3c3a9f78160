/** Questions to the person at the terminal. What is typed as a secret is not shown. */

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Prompt, UsageError } from './command.ts'

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: { write(text: string): unknown }
}

export function openPrompt({ input, output }: PromptStreams): Prompt {
  // Also between two questions: a secret may be pasted too early.
  let isHidden = true
  const screen = new Writable({
    write: (text: Buffer, _encoding, done) => {
      if (!isHidden) output.write(text.toString())
      done()
    },
  })
  const lines = createInterface({ input, output: screen, terminal: input.isTTY === true })
  // A terminal that is read line by line gives Ctrl-C to the program instead of ending it.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const each = lines[Symbol.asyncIterator]()
  const readLine = async (): Promise<string> => {
    const { value, done } = await each.next()
    if (done === true) throw new UsageError('The input ended before all questions were answered.')
    return value
  }
  return {
    ask: async (question, preset) => {
      output.write(`${question}${preset === undefined ? '' : ` [${preset}]`}: `)
      isHidden = false
      try {
        return (await readLine()).trim() || (preset ?? '')
      } finally {
        isHidden = true
      }
    },
    askSecret: async (question) => {
      output.write(`${question} (not shown): `)
      try {
        const text = [await readLine()]
        while (text[0]?.startsWith('-----BEGIN ') === true && text.at(-1)?.startsWith('-----END ') !== true)
          text.push(await readLine())
        return text.join('\n').trim()
      } finally {
        output.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
