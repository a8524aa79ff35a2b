import { fileURLToPath } from 'node:url'
import { formatRupees } from '@podium/contract/money'
import { formatDay } from '@podium/contract/season'
import sharp from 'sharp'
import type { Proof } from '../src/features/payments/submission/commands.ts'
import { hashOf } from '../src/features/payments/submission/commands.ts'
import { acceptUpload } from '../src/platform/files/files-accept.ts'
import { makePdf } from '../src/platform/pdf/pdf.ts'

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
    {
      title: 'Transfer slip',
      createdAt: slip.at,
      foundation: { name: 'Namuna Grameen Sample Bank' },
      foot: warning,
    },
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

/** Words of one size and colour, in Pango's markup. */
function words(text: string, size: number, color: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<span foreground="${color}" size="${size * 1024}">${escaped}</span>`
}

/**
 * A picture as somebody takes it of the banking app on the phone. All words in one piece, as each takes as long as all,
 * from the font that the product brings along: the machine may have none.
 */
async function pictureSlip(slip: Slip): Promise<Buffer> {
  const lines = [
    words('Namuna Grameen Sample Bank', 28, '#ffffff'),
    words(' ', 44, '#ffffff'),
    words('Transfer successful', 34, '#1f5f4b'),
    ...linesOf(slip).flatMap(([label, value]) => [
      words(' ', 15, '#ffffff'),
      words(label, 20, '#5b6472'),
      words(value, 26, '#16202e'),
    ]),
    words(' ', 40, '#ffffff'),
    words(warning, 20, '#a3342b'),
  ]
  const head = { create: { width: 720, height: 96, channels: 3, background: '#1f5f4b' } } as const
  const text = { text: lines.join('\n'), font: 'Noto Sans 20', fontfile: font, rgba: true, dpi: 72 }
  return sharp({ create: { width: 720, height: 960, channels: 3, background: '#ffffff' } })
    .composite([
      { input: head, left: 0, top: 0 },
      { input: { text }, left: 48, top: 28 },
    ])
    .png()
    .toBuffer()
}

/** What a school sends as proof: a slip as PDF, or a picture of one. */
export async function proofOf(slip: Slip, kind: 'pdf' | 'picture'): Promise<Proof> {
  const bytes = await (kind === 'pdf' ? pdfSlip(slip) : pictureSlip(slip))
  return { file: await acceptUpload(bytes), sentSha256: hashOf(bytes) }
}
