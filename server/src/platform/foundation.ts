import { brandSheet } from '@podium/contract/brand'
import { type FoundationLimits, limitsFrom } from '@podium/contract/office/rules-limits'
import { said } from '@podium/contract/sentences'
import type { Db, Tx } from './db/database.ts'
import { Refusal } from './errors.ts'
import { type FileStore, readStored } from './files/files.ts'
import type { Logo } from './files/images.ts'
import type { Sender } from './mail/mail-templates.ts'
import type { Letterhead } from './pdf/pdf-text.ts'

/** What holds before the office has set anything; the name is that of the product. */
const builtIn = {
  name: 'Podium',
  short_name: '',
  postal_address: '',
  website: '',
  support_phone: '',
  support_email: '',
  support_hours: 'Monday to Friday, 9 AM to 5 PM',
  support_hours_hi: 'सोमवार से शुक्रवार, सुबह 9 से शाम 5 बजे',
  receipt_prefix: 'PD',
  social_links: [],
  logo_file_id: null,
  logo_width: 0,
  logo_height: 0,
  colour: '',
  limits: {},
  demo: false,
}

/**
 * The foundation as it presents itself: its names, how to reach it, how it looks, its pages; `demo` tells a demo world
 * from a real one. One row by its key, read whenever it is needed: so every process shows a change at once.
 */
export async function readFoundation(db: Db | Tx) {
  return (
    (await db
      .selectFrom('foundation')
      .select(['id', 'name', 'support_phone', 'support_email', 'support_hours', 'receipt_prefix'])
      .select(['social_links', 'demo', 'version', 'logo_file_id', 'colour', 'short_name', 'postal_address'])
      .select(['website', 'support_hours_hi', 'logo_width', 'logo_height', 'limits', 'identity_version'])
      .select(['logo_version', 'colour_version', 'support_version', 'limits_version'])
      .executeTakeFirst()) ?? builtIn
  )
}

type Foundation = Awaited<ReturnType<typeof readFoundation>>

/** The support hours in both languages; in Hindi as in English where there is no Hindi text. */
export const hoursOf = ({ support_hours: en, support_hours_hi: hi }: Foundation) => ({ en, hi: hi || en })

/** The name where room is short: heads of pages, slips. */
const shortNameOf = ({ name, short_name: short }: Foundation): string => short || name

/** What every mail says of its sender. */
export async function mailSender(db: Db | Tx): Promise<Sender> {
  const foundation = await readFoundation(db)
  return {
    foundation: foundation.name,
    shortName: shortNameOf(foundation),
    supportPhone: foundation.support_phone,
    supportEmail: foundation.support_email,
    supportHours: hoursOf(foundation),
    postalAddress: foundation.postal_address,
    website: foundation.website,
  }
}

/** The logo's picture; undefined where there is none, or its content is lost: a paper without it is better than none. */
async function logoOf(db: Db | Tx, files: FileStore, foundation: Foundation): Promise<Logo | undefined> {
  const { logo_file_id: id, logo_width: width, logo_height: height } = foundation
  if (id === null) return undefined
  const stored = await readStored(db, files, id, { kind: 'logo' }).catch(() => undefined)
  return stored && { bytes: stored.content, width, height }
}

/** The head of papers. */
export async function letterhead(db: Db | Tx, files: FileStore): Promise<Letterhead> {
  const foundation = await readFoundation(db)
  return {
    name: foundation.name,
    shortName: shortNameOf(foundation),
    postalAddress: foundation.postal_address,
    website: foundation.website,
    phone: foundation.support_phone,
    email: foundation.support_email,
    hours: hoursOf(foundation),
    logo: await logoOf(db, files, foundation),
    colour: foundation.colour,
  }
}

/** How the web entries present the foundation; `sheet` is empty for the built-in colour. */
export async function readLook(db: Db) {
  const foundation = await readFoundation(db)
  const { logo_file_id: id, logo_width: width, logo_height: height, colour } = foundation
  return {
    name: shortNameOf(foundation),
    logo: id === null ? undefined : { id, width, height },
    sheet: colour === '' ? '' : brandSheet(colour),
  }
}

/** The logo's PNG by the id that pages name; undefined for any other file. */
export async function readLogo(db: Db, files: FileStore, id: string): Promise<Buffer | undefined> {
  const foundation = await readFoundation(db)
  if (foundation.logo_file_id !== id) return undefined
  return (await logoOf(db, files, foundation))?.bytes
}

/** The limits that hold now: those that the office has moved, and those built in for the rest. */
export async function foundationLimits(db: Db | Tx): Promise<FoundationLimits> {
  const row = await db.selectFrom('foundation').select('limits').executeTakeFirst()
  return limitsFrom(row?.limits)
}

/** Refuses a proof that is larger than the office lets it be; before it is decoded. */
export async function refuseLargeProof(db: Db | Tx, bytes: Buffer): Promise<void> {
  const { proofMegabytes } = await foundationLimits(db)
  if (bytes.length > proofMegabytes * 1024 * 1024)
    throw new Refusal('file.too_large', { message: said('fileTooLarge', { n: proofMegabytes }) })
}

/** Refuses more students at once than the office lets them be. */
export async function refuseManyStudents(db: Db | Tx, students: number): Promise<void> {
  const { importRows } = await foundationLimits(db)
  if (students > importRows)
    throw new Refusal('input.invalid', { message: said('studentsTooMany', { n: importRows }) })
}
