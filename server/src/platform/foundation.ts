import { brandSheet } from '@podium/contract/brand'
import { type FoundationLimits, limitsFrom } from '@podium/contract/office/rules-limits'
import { formatSentence } from '@podium/contract/sentences'
import type { Db, Tx } from './db/database.ts'
import { Refusal } from './errors.ts'
import { type FileStore, readStored } from './files/files.ts'
import type { Logo } from './files/images.ts'
import type { Sender } from './mail/mail-templates.ts'
import type { Letterhead } from './pdf/pdf-text.ts'

/** Defaults until the office sets its own; the name is the product's. */
const defaults = {
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
 * Reads the foundation's identity: names, contact details, logo and colour, links; `demo` marks a demo world. It is a
 * single row read by key on every use, so all processes see a change at once.
 */
export async function readFoundation(db: Db | Tx) {
  return (
    (await db
      .selectFrom('foundation')
      .select(['id', 'name', 'support_phone', 'support_email', 'support_hours', 'receipt_prefix'])
      .select(['social_links', 'demo', 'version', 'logo_file_id', 'colour', 'short_name', 'postal_address'])
      .select(['website', 'support_hours_hi', 'logo_width', 'logo_height', 'limits', 'identity_version'])
      .select(['logo_version', 'colour_version', 'support_version', 'limits_version'])
      .executeTakeFirst()) ?? defaults
  )
}

type Foundation = Awaited<ReturnType<typeof readFoundation>>

/** Returns the support hours in both languages; Hindi falls back to English if there is no Hindi text. */
export const hoursOf = ({ support_hours: en, support_hours_hi: hi }: Foundation) => ({ en, hi: hi || en })

/** The short name, for page headers and slips. */
const shortNameOf = ({ name, short_name: short }: Foundation): string => short || name

/** Returns the sender details that every e-mail shows. */
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

/**
 * Returns the logo image; undefined if there is none or its content is lost: a document without a logo is better than
 * none.
 */
async function logoOf(db: Db | Tx, files: FileStore, foundation: Foundation): Promise<Logo | undefined> {
  const { logo_file_id: id, logo_width: width, logo_height: height } = foundation
  if (id === null) return undefined
  const stored = await readStored(db, files, id, { kind: 'logo' }).catch(() => undefined)
  return stored && { bytes: stored.content, width, height }
}

/** Returns the letterhead of printed documents. */
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

/** Returns how the web pages present the foundation; `sheet` is empty for the built-in colour. */
export async function readBranding(db: Db) {
  const foundation = await readFoundation(db)
  const { logo_file_id: id, logo_width: width, logo_height: height, colour } = foundation
  return {
    name: shortNameOf(foundation),
    logo: id === null ? undefined : { id, width, height },
    sheet: colour === '' ? '' : brandSheet(colour),
  }
}

/** Returns the logo's PNG if `id` is the current logo, and undefined for any other file. */
export async function readLogo(db: Db, files: FileStore, id: string): Promise<Buffer | undefined> {
  const foundation = await readFoundation(db)
  if (foundation.logo_file_id !== id) return undefined
  return (await logoOf(db, files, foundation))?.bytes
}

/** Returns the limits in force: the office's own, and the built-in ones for the rest. */
export async function foundationLimits(db: Db | Tx): Promise<FoundationLimits> {
  const row = await db.selectFrom('foundation').select('limits').executeTakeFirst()
  return limitsFrom(row?.limits)
}

/** Refuses a payment proof larger than the office allows, before it is decoded. */
export async function refuseLargeProof(db: Db | Tx, bytes: Buffer): Promise<void> {
  const { proofMegabytes } = await foundationLimits(db)
  if (bytes.length > proofMegabytes * 1024 * 1024)
    throw new Refusal('file.too_large', { message: formatSentence('fileTooLarge', { n: proofMegabytes }) })
}

/** Refuses more students in one import than the office allows. */
export async function refuseManyStudents(db: Db | Tx, students: number): Promise<void> {
  const { importRows } = await foundationLimits(db)
  if (students > importRows)
    throw new Refusal('input.invalid', { message: formatSentence('studentsTooMany', { n: importRows }) })
}
