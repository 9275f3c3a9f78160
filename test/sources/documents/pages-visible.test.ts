// Only what a person sees counts: text that is on the page but hidden by whatever means is counted and left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnly, textOf } from './reading.ts'
import { type PagePieces, streamOf, writePage } from './written-pdf.ts'

const say = (text: string, at = '40 200', size = 12) => `BT /F1 ${size} Tf ${at} Td (${text}) Tj ET`
const seen = say('SEEN', '40 340')
const white = '1 1 1 rg'
const black = '0 0 0 rg'
const picture = streamOf(
  Buffer.from([200, 220, 240, 210]),
  '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8',
)
const withPicture: PagePieces = { resources: '/XObject << /Im 6 0 R >>', more: [picture] }
const drawPicture = 'q 300 0 0 100 20 150 cm /Im Do Q'

const hidden: readonly (readonly [how: string, content: string, pieces?: PagePieces])[] = [
  ['white on white', `${white} ${say('HIDDEN')}`],
  ['all but white on white', `0.97 0.97 0.97 rg ${say('HIDDEN')}`],
  ['a render mode that draws nothing', `BT 3 Tr /F1 12 Tf 40 200 Td (HIDDEN) Tj ET`],
  ['a picture that covers it', `${say('HIDDEN')} ${drawPicture}`, withPicture],
  ['a white box that covers it', `${say('HIDDEN')} ${white} 20 150 300 100 re f`],
  ['a place outside of the page', say('HIDDEN', '500 200')],
  ['print that is too small to be read', say('HIDDEN', '40 200', 1)],
  [
    'no opacity',
    `/Gs gs ${say('HIDDEN')}`,
    { resources: '/ExtGState << /Gs 6 0 R >>', more: ['<< /Type /ExtGState /ca 0 /CA 0 >>'] },
  ],
  ['a clip that leaves nothing', `q 0 0 10 10 re W n ${say('HIDDEN')} Q`],
  [
    'a layer that is off',
    `/OC /Off BDC ${say('HIDDEN')} EMC`,
    {
      resources: '/Properties << /Off 6 0 R >>',
      catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] /Order [6 0 R] >> >>',
      more: ['<< /Type /OCG /Name (Off) >>'],
    },
  ],
  ['other print that lies upon it', `${white} ${say('HIDDEN')} ${black} ${say('PRINT')}`],
]
for (const [how, content, pieces] of hidden)
  test(`text hidden by ${how} is counted, not read`, async () => {
    const page = await readOnly(writePage(`${black} ${seen} ${black} ${content}`, pieces))
    assert.doesNotMatch(textOf(page), /HID/)
    assert.match(textOf(page), /SEEN/)
    assert.equal(page.invisibleWords, 1)
  })

const shown: readonly (readonly [how: string, content: string, pieces?: PagePieces])[] = [
  ['over a picture', `${drawPicture} ${say('READ')}`, withPicture],
  ['white on a dark ground', `20 150 300 100 re f ${white} ${say('READ')}`],
  ['in light grey', `0.75 0.75 0.75 rg ${say('READ')}`],
  ['in colour', `0 0.5 0.9 rg ${say('READ')}`],
  ['as outlines', `BT 1 Tr 0.3 w /F1 14 Tf 40 200 Td (READ) Tj ET`],
  ['in small print', say('READ', '40 200', 4)],
  ['upon a watermark', `0.85 0.85 0.85 rg ${say('COPY', '20 190', 60)} ${black} ${say('READ')}`],
  [
    'under a watermark that lets it through',
    `${say('READ')} /Gs gs ${say('COPY', '20 190', 60)}`,
    {
      resources: '/ExtGState << /Gs 6 0 R >>',
      more: ['<< /Type /ExtGState /ca 0.2 /CA 0.2 >>'],
    },
  ],
]
for (const [how, content, pieces] of shown)
  test(`text ${how} is read`, async () => {
    const page = await readOnly(writePage(`${black} ${seen} ${black} ${content}`, pieces))
    assert.match(textOf(page), /READ/)
    assert.match(textOf(page), /SEEN/)
    assert.equal(page.invisibleWords, 0)
  })

test('of a word that is hidden in part, the part that is seen is read', async () => {
  const page = await readOnly(
    writePage(`BT /F1 12 Tf 40 200 Td (100) Tj ${white} (000) Tj ${black} ( USD) Tj ET`),
  )
  assert.equal(textOf(page), '100 USD')
  assert.equal(page.invisibleWords, 1)
})

test('full stops and commas of small print are not lost', async () => {
  const page = await readOnly(
    writePage(`0.3 0.3 0.3 rg ${say("1,250.00 U.S. it's i.e. a-b", '40.3 200.3', 6)}`),
  )
  assert.equal(textOf(page), "1,250.00 U.S. it's i.e. a-b")
})
