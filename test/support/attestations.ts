// Attestations for tests: of real lines, signed by installations that do not exist.

import { createHash } from 'node:crypto'
import { learnShape, noShape, shapeOf } from '../../src/domain/tracking-requests/answer-shape.ts'
import { type Attestation, signAttestation } from '../../src/modules/attestations/attestation.ts'
import { describeShape } from '../../src/modules/attestations/attested-shape.ts'

/** `installation`: any name. `answers`: as many attested answers of the same shape. */
export function attest(of: {
  readonly installation: string
  readonly answer: unknown
  readonly answers?: number
  readonly line?: string
  readonly day?: string
  readonly simulated?: boolean
  readonly events?: Partial<Attestation['events']>
}): Attestation {
  let shape = noShape
  for (let n = 0; n < (of.answers ?? 1); n++) shape = learnShape(shape, shapeOf(of.answer), '2026-01-01T00:00:00.000Z')
  return signAttestation(
    {
      line: of.line ?? 'HLCU',
      access: { kind: 'request', language: 'dcsa' },
      interface: '2',
      reader: { name: 'dcsa', version: 5 },
      program: '0.3.0',
      day: of.day ?? '2026-01-20',
      simulated: of.simulated ?? false,
      events: { answers: 1, read: 9, partly: 0, lost: 1, share: 0.9, ...of.events },
      ...describeShape(shape, { source: 'dcsa', shown: {} }),
    },
    createHash('sha256').update(of.installation).digest(),
  )
}
