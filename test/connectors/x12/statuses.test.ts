import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMeaning } from '../../../src/connectors/x12/references.ts'
import { findStatus } from '../../../src/connectors/x12/statuses.ts'

/** All codes that public lists, guides and decoders know, by message. */
const known = {
  '315 carrier':
    'EE OA I RD AE AO VD VA UV AL RL P AR UR AV D X1 AG CR CT CU NF FT PA PB PC PD PE PF PG PH PI PJ PK PL PM PN PO PP PQ PR PS PT PU PV PW PX HR IB IR RI B CB CC C E AA SC TM',
  '315 terminal': 'DN FD TC NP CZ H1 OD LD SA SB AV NF CT CR PX HR',
  '322 carrier': 'EE OA I GI AL RL P A AR UR NT AV NF B CB CC SC',
} as const
/** Ambiguous: only a profile may say what a partner means by them. */
const unmapped = ['HR', 'PX']

test('every known X12 status code is mapped with its source, or is on the list of unmapped codes', () => {
  for (const [where, codes] of Object.entries(known)) {
    const [type, dialect] = where.split(' ') as ['315' | '322', 'carrier' | 'terminal']
    for (const code of codes.split(' ')) {
      const status = findStatus(code, { type, dialect })
      assert.equal(status === null, unmapped.includes(code), `${where} ${code}`)
      if (status === null) continue
      assert.ok(['S', 'D', 'C'].includes(status.grade) && status.source.length > 5 && status.meaning.length >= 5)
    }
  }
})

test('ignores a status code that only terminals send when a line sends the message', () => {
  for (const code of ['DN', 'FD', 'TC', 'NP', 'SA']) {
    assert.equal(findStatus(code, { type: '315', dialect: 'carrier' }), null)
    assert.equal(findStatus(code, { type: '322', dialect: 'terminal' }), null)
  }
  for (const code of ['A', 'NT', 'GI']) assert.equal(findStatus(code, { type: '315', dialect: 'terminal' }), null)
  for (const code of ['CT', 'PA', 'VA']) assert.equal(findStatus(code, { type: '322', dialect: 'carrier' }), null)
})

test('a JavaScript property name such as constructor is not read as a code', () => {
  for (const code of ['toString', '__proto__', 'constructor', '']) {
    assert.equal(findStatus(code, { type: '315', dialect: 'terminal' }), null)
    assert.equal(findMeaning(code, 'terminal'), null)
  }
})

test('every known reference code of terminals has a meaning', () => {
  const all =
    'BM BN EQ SCA AAO TI GCD SN ZCD YS L1 TT GC 22 4I 4I1 4I2 4I3 4I4 4I5 4I6 4I7 4I8 4I9 4IV 4IE TMF CTF HZP FCH BBC DVF USD GEN SCR WCR GEC DRC ATG EGF IGF OOG RF DWT FI RR MCI WU CO SI 4F PO ZZ'
  for (const qualifier of all.split(' ')) assert.notEqual(findMeaning(qualifier, 'terminal'), null, qualifier)
  for (const qualifier of ['22', '4I', 'TMF', 'RF', 'GC', 'TT', 'FI'])
    assert.equal(findMeaning(qualifier, 'carrier'), null)
})
