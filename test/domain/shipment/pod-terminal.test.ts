/** At which terminal a container was discharged, when several sources state it in several ways. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyBox, projectText } from '../../support/told-in-text.ts'

const has = 'FACT pod_terminal USLAX terminal:APMT at=Y258 terminal=t1'
const expects = 'FACT pod_terminal USLAX carrier:HLCU at=Y258 terminal=t1'
const coded = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z terminal:YARD at=Q7'

const terminalOf = (stated: string) => onlyBox(projectText(stated)).podTerminal

test('prefers a terminal that reports having the container to an unknown facility code', () => {
  assert.equal(terminalOf(`${coded}\n${has}`)?.facilityCode, 'Y258')
  assert.notEqual(terminalOf(`${coded}\n${has}`)?.terminalId, null)
})

test('prefers an unknown facility code to a terminal that the line only expects', () => {
  assert.equal(terminalOf(`${coded}\n${expects}`)?.facilityCode, 'Q7')
})

test('the terminal of the container is the known terminal where it was discharged', () => {
  const known = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU at=W185 terminal=t2'
  assert.equal(terminalOf(`${known}\n${has}`)?.facilityCode, 'W185')
})
