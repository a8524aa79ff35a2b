import { fileURLToPath } from 'node:url'
import { formatRupees } from '@podium/contract/money'
import { formatDay } from '@podium/contract/season'
import sharp from 'sharp'
import type { Proof } from '../src/features/payments/commands.ts'
import { hashOf } from '../src/features/payments/commands.ts'
import { acceptUpload } from '../src/platform/files-accept.ts'
import { makePdf } from '../src/platform/pdf.ts'

export interface Slip {
  day: string
  /** Rupees */
  amount: number
  utr: string
  reference: string
  from: string
  /** The moment of the document */
  at: Date
}

const warning = 'Sample document. Not a bank record.'

function linesOf({ day, amount, utr, reference, from }: Slip): [string, string][] {
  return [
    ['Date', formatDay(day)],
    ['Amount', formatRupees(amount)],
    ['From', `${from}, A/c xx 2290`],
    ['To', 'Podium Foundation, A/c xx 5678'],
    ['IFSC', 'SSBX0000417'],
    ['UTR', utr],
    ['Remarks', reference],
  ]
}

async function pdfSlip(slip: Slip): Promise<Buffer> {
  return makePdf(
    { title: 'Transfer slip', createdAt: slip.at, foundation: 'Namuna Grameen Sample Bank', foot: warning },
    (page) => {
      page.heading('NEFT transfer: successful')
      page.keyValues(linesOf(slip), 1)
      page.space(16)
      page.text(warning, { bold: true })
    },
  )
}

const font = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
)

/** Words as a picture, from the font that the product brings along: the machine may have none. */
function words(text: string, size: number, color: string) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const markup = `<span foreground="${color}">${escaped}</span>`
  return { text: { text: markup, font: `Noto Sans ${size}`, fontfile: font, rgba: true, dpi: 72 } }
}

/** A picture as somebody takes it of the banking app on the phone. */
async function pictureSlip(slip: Slip): Promise<Buffer> {
  const rows = linesOf(slip).flatMap(([label, value], index) => [
    { input: words(label, 20, '#5b6472'), left: 48, top: 250 + index * 84 },
    { input: words(value, 26, '#16202e'), left: 48, top: 276 + index * 84 },
  ])
  const head = {
    input: { create: { width: 720, height: 96, channels: 3, background: '#1f5f4b' } },
    left: 0,
    top: 0,
  } as const
  return sharp({ create: { width: 720, height: 960, channels: 3, background: '#ffffff' } })
    .composite([
      head,
      { input: words('Namuna Grameen Sample Bank', 28, '#ffffff'), left: 48, top: 32 },
      { input: words('Transfer successful', 34, '#1f5f4b'), left: 48, top: 150 },
      ...rows,
      { input: words(warning, 20, '#a3342b'), left: 48, top: 890 },
    ])
    .png()
    .toBuffer()
}

/** What a school sends as proof: a slip as PDF, or a picture of one. */
export async function proofOf(slip: Slip, kind: 'pdf' | 'picture'): Promise<Proof> {
  const bytes = await (kind === 'pdf' ? pdfSlip(slip) : pictureSlip(slip))
  return { file: await acceptUpload(bytes), sentSha256: hashOf(bytes) }
}
