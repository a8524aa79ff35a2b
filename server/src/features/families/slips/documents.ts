import { className } from '@podium/contract/classes'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import { type Keys, unseal } from '#platform/auth/secrets'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import type { Db } from '#platform/db/database'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import type { Letterhead, TextStyle } from '#platform/pdf/pdf-text'

interface SlipChild {
  name: string
  className: string
  section: string
}

/** One family's slip: its link, its code and its children in order of entry. */
interface Slip {
  linkId: string
  /** As entered on the family page, in groups of four */
  code: string
  children: SlipChild[]
}

/**
 * The slips of these students' families, each once, in the order of the students. Only students of the caller's school
 * with an active link are included; a slip names all children of the family, also those not asked for.
 */
export async function findSlips(
  db: Db,
  keys: Keys,
  scope: SchoolScope,
  studentIds: readonly number[],
): Promise<Slip[]> {
  const { rows } = await sql<{ id: string; sealed: string; children: (SlipChild & { classId: number })[] }>`
    with asked as (
      select st.family_link_id as link_id, min(a.place) as place
      from unnest(${studentIds}::bigint[]) with ordinality as a (id, place) join students st on st.id = a.id
      where st.school_id = ${scope.schoolId} and st.active
      group by st.family_link_id
    )
    select l.id, l.access_code_sealed as sealed, (
        select jsonb_agg(jsonb_build_object('name', c.name, 'classId', c.class_id, 'section', c.section) order by c.id)
        from students c where c.family_link_id = l.id and c.active) as children
    from asked join family_links l on l.id = asked.link_id and l.revoked_at is null
    order by asked.place`.execute(db)
  return rows.map(({ id, sealed, children }) => ({
    linkId: id,
    code: inFours(unseal(keys, sealed)),
    children: children.map(({ name, classId, section }) => ({
      name,
      className: className(classId),
      section,
    })),
  }))
}

const inFours = (code: string) => code.replace(/.{4}(?=.)/g, '$& ')

interface SlipOptions {
  foundation: Letterhead
  school: string
  season: string
  /** Address of a family page, without the code */
  pageOf: (linkId: string) => string
  createdAt: Date
}

const slipHeight = 134
const gap = 14
const qrSide = 112
const soft = '#4a555f'

/** A whole school's list takes seconds of CPU, so only two are made at a time. */
const slipsTurn = concurrencyLimit(2, 10)

/**
 * One slip for each family, six on a page, in black and white and in both languages, because the family's language is not
 * known. A slip is cut in two so that QR code and access code can be handed out separately. Refuses with `busy` if too many
 * lists are waiting.
 */
export function slipsPdf(slips: readonly Slip[], making: SlipOptions): Promise<Buffer> {
  const { foundation, season, createdAt } = making
  const of = { title: `Access slips ${season}`, createdAt, foundation, bare: true }
  return withSlot(slipsTurn, () =>
    makePdf(of, async (page) => {
      for (const slip of slips) {
        page.room(slipHeight)
        drawSlip(page, slip, making)
        await page.pause()
      }
    }),
  )
}

function drawSlip(page: PdfPage, slip: Slip, making: SlipOptions): void {
  const top = page.y
  const left = page.width * 0.62
  page.at({ x: page.x, y: top + gap / 2, width: qrSide }, () => page.qr(making.pageOf(slip.linkId), qrSide))
  const beside = page.x + qrSide + 6
  page.at({ x: beside, y: top + gap, width: left - qrSide - gap - 6 }, () => linkHalf(page, slip, making))
  page.at({ x: page.x + left + gap, y: top + gap, width: page.width - left - gap }, () =>
    codeHalf(page, slip, making),
  )
  cut(page, [page.x + left, top + 4], [page.x + left, top + slipHeight - 4])
  page.y = top + slipHeight
  cut(page, [page.x, page.y], [page.x + page.width, page.y])
}

function cut({ doc }: PdfPage, from: [number, number], to: [number, number]): void {
  doc
    .moveTo(...from)
    .lineTo(...to)
    .dash(3, { space: 3 })
    .lineWidth(0.6)
    .stroke(soft)
    .undash()
}

type Text = [text: string, style: TextStyle]

const childLine = ({ name, className, section }: Slip['children'][number]) =>
  `${name}, ${className}${section === '-' ? '' : ` ${section}`}`

/** Draws half a slip between two cuts; names are printed smaller if there is too little room. */
function half(
  page: PdfPage,
  before: readonly Text[],
  names: readonly string[],
  after: readonly Text[],
): void {
  const heightOf = (texts: readonly Text[]) =>
    texts.reduce((sum, [text, style]) => sum + page.painter.height(text, page.width, style), 0)
  const room = slipHeight - gap - 8 - heightOf([...before, ...after])
  const named = (size: number) => names.map((name): Text => [name, { size, bold: true }])
  const fitting = [10, 9, 8, 7].map(named).find((texts) => heightOf(texts) <= room) ?? named(6)
  for (const [text, style] of [...before, ...fitting]) page.text(text, style)
  page.space(4)
  for (const [text, style] of after) page.text(text, style)
}

function linkHalf(page: PdfPage, { children }: Slip, { foundation, school, season }: SlipOptions): void {
  const more = children.length > 2 ? [`+ ${children.length - 2}`] : []
  half(
    page,
    [
      [`${foundation.shortName ?? foundation.name} ${season}`, { size: 8, color: soft }],
      [school, { size: 8, color: soft }],
    ],
    [...children.slice(0, 2).map(childLine), ...more],
    [
      ["Point your phone's camera at the code. Then enter the access code from the other half.", { size: 8 }],
      ['फ़ोन का कैमरा इस कोड पर रखें। फिर दूसरे हिस्से का एक्सेस कोड डालें।', { size: 8 }],
    ],
  )
}

function codeHalf(page: PdfPage, { code, children }: Slip, { season }: SlipOptions): void {
  half(
    page,
    [
      [`Access code · एक्सेस कोड · ${season}`, { size: 8, color: soft }],
      [code, { size: 19, bold: true }],
    ],
    children.slice(0, 1).map(childLine),
    [
      ['Keep this half separate from the other, and never send both together.', { size: 8 }],
      ['इसे दूसरे हिस्से से अलग रखें; दोनों साथ न भेजें।', { size: 8 }],
    ],
  )
}
