/** At which terminal a box was discharged, where several say it in several ways. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyBox, projectText } from '../support/told-in-text.ts'

const has = 'FACT pod_terminal USLAX terminal:APMT at=Y258 terminal=t1'
const expects = 'FACT pod_terminal USLAX carrier:HLCU at=Y258 terminal=t1'
const coded = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z terminal:YARD at=Q7'

const terminalOf = (said: string) => onlyBox(projectText(said)).podTerminal

test('a code of their own that we do not know does not hide the terminal that says that it has the box', () => {
  assert.equal(terminalOf(`${coded}\n${has}`)?.facilityCode, 'Y258')
  assert.notEqual(terminalOf(`${coded}\n${has}`)?.terminalId, null)
})

test('it does hide where the line expected the box: it may be another', () => {
  assert.equal(terminalOf(`${coded}\n${expects}`)?.facilityCode, 'Q7')
})

test('a discharge at a terminal that we know is where it was', () => {
  const known = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU at=W185 terminal=t2'
  assert.equal(terminalOf(`${known}\n${has}`)?.facilityCode, 'W185')
})
