/** Asks a person what is wrong or missing in what was read, container by container. */

import type { AnswerReading } from '../../modules/sources/read-answer.ts'
import { type Expectation, namesOfContainer, namesOfShipment, parseExpectation } from './recorded-values.ts'

export async function askExpectations(
  reading: AnswerReading,
  { ask, print }: { readonly ask: (question: string) => Promise<string>; readonly print: (line: string) => void },
): Promise<readonly Expectation[]> {
  const expected: Expectation[] = []
  const askAbout = async (what: string, container: string | null): Promise<void> => {
    for (;;) {
      const line = await ask(what)
      if (line === '') return
      const parsed = parseExpectation(line, container)
      if (parsed.ok) expected.push(parsed.value)
      else print(parsed.reason)
    }
  }
  print('What is wrong or missing? Write <milestone or attribute>[@<UN/LOCODE>] = <value>, for example')
  print('vessel_discharged@USLAX = 2026-05-03, or - for none. An empty line ends the questions about a container.')
  if (reading.containers.length > 0) print(`Of a container: ${namesOfContainer.join(', ')}`)
  print(`Of the shipment: ${namesOfShipment.join(', ')}`)
  for (const { number, status } of reading.containers) await askAbout(`${number} (${status})`, number)
  const { number } = reading.asked
  await askAbout(
    reading.containers.length > 0 ? 'Shipment' : `Shipment ${number}, or <container>:<milestone> = <value>`,
    null,
  )
  return expected
}
