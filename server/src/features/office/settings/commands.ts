import type { ParsedBody } from '@podium/contract/endpoint'
import {
  type identityForm,
  type limitsForm,
  reasonsForm,
  type StandardReason,
  type saveReasons as saveReasonsCall,
  type supportForm,
} from '@podium/contract/office/calls-settings'
import { adjustableLimits, limitKeys, limitsFrom } from '@podium/contract/office/rules-limits'
import { sql, type Updateable } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { changeRows, findRow } from '#platform/db/rows'
import type { Schema } from '#platform/db/schema.generated'
import { orNotFound, Refusal } from '#platform/errors'
import { type FileStore, type StoredContent, storeFile } from '#platform/files/files'
import { acceptLogo } from '#platform/files/files-accept'
import type { Logo } from '#platform/files/images'
import { cancelJob } from '#platform/jobs/jobs'

/** The parts of the foundation's settings: their columns and version column. */
const parts = {
  identity: { version: 'identity_version', columns: ['name', 'short_name', 'postal_address', 'website'] },
  logo: { version: 'logo_version', columns: ['logo_file_id', 'logo_width', 'logo_height'] },
  colour: { version: 'colour_version', columns: ['colour'] },
  support: {
    version: 'support_version',
    columns: ['support_phone', 'support_email', 'support_hours', 'support_hours_hi'],
  },
  limits: { version: 'limits_version', columns: ['limits'] },
} as const

type Part = keyof typeof parts
type Column = (typeof parts)[Part]['columns'][number]

/** Locks a part and returns its current values. Refuses with `changed_meanwhile` if this part has changed. */
async function takePart(tx: Tx, part: Part, version: number) {
  await tx
    .insertInto('foundation')
    .values({ id: 1, name: 'Podium', support_phone: '', support_email: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('foundation')
    .select(['id', 'name', 'support_phone', 'support_email', 'support_hours', 'version', 'logo_file_id'])
    .select(['colour', 'short_name', 'postal_address', 'website', 'support_hours_hi', 'logo_width'])
    .select(['logo_height', 'limits', 'identity_version', 'logo_version', 'colour_version'])
    .select(['support_version', 'limits_version'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row[parts[part].version] !== version) throw new Refusal('changed_meanwhile')
  return row
}

type Row = Awaited<ReturnType<typeof takePart>>

async function setPart(
  tx: Tx,
  part: Part,
  values: Pick<Updateable<Schema['foundation']>, Column>,
): Promise<void> {
  const counter = parts[part].version
  await changeRows(tx, 'foundation', {
    where: {},
    set: { ...values, version: sql`version + 1`, [counter]: sql`${sql.ref(counter)} + 1` },
  })
}

/** The values that differ. */
function changesOf<Values extends Partial<Record<Column, unknown>>>(row: Row, to: Values) {
  const names = (Object.keys(to) as Column[]).filter((name) => row[name] !== to[name])
  const pick = (of: Partial<Record<Column, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, of[name]]))
  return { from: pick(row), to: pick(to) }
}

const subject = { kind: 'foundation', id: 1 }

type WithVersion<Form extends z.ZodMiniType> = z.output<Form> & { version: number }

/** Changes the name of the foundation and its addresses. Refuses `changed_meanwhile`. */
export async function saveIdentity(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: WithVersion<typeof identityForm>,
): Promise<void> {
  const { version, name, shortName, postalAddress, website } = input
  const row = await takePart(tx, 'identity', version)
  const columns = { name, short_name: shortName, postal_address: postalAddress, website }
  await setPart(tx, 'identity', columns)
  await audit(tx, now, scope, 'foundation.changed', subject, changesOf(row, columns))
}

/** Changes how schools and families reach the foundation. Refuses `changed_meanwhile`. */
export async function saveSupport(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: WithVersion<typeof supportForm>,
): Promise<void> {
  const { version, phone, email, hours, hoursHi } = input
  const row = await takePart(tx, 'support', version)
  const columns = {
    support_phone: phone,
    support_email: email,
    support_hours: hours,
    support_hours_hi: hoursHi,
  }
  await setPart(tx, 'support', columns)
  await audit(tx, now, scope, 'foundation.support_changed', subject, changesOf(row, columns))
}

/** Changes the colour (`#rrggbb`, empty for the built-in one). Refuses `changed_meanwhile`. */
export async function saveColour(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { version, colour }: { version: number; colour: string },
): Promise<void> {
  const row = await takePart(tx, 'colour', version)
  await setPart(tx, 'colour', { colour })
  await audit(tx, now, scope, 'foundation.colour_changed', subject, changesOf(row, { colour }))
}

/** Saves limits. A limit equal to the default is not stored, so that it follows later defaults. Refuses with `changed_meanwhile`. */
export async function saveLimits(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { version, ...sent }: WithVersion<typeof limitsForm>,
): Promise<void> {
  const row = await takePart(tx, 'limits', version)
  const before = limitsFrom(row.limits)
  const moved = limitKeys.filter((key) => sent[key] !== adjustableLimits[key].builtIn)
  const limits = JSON.stringify(Object.fromEntries(moved.map((key) => [key, sent[key]])))
  await setPart(tx, 'limits', { limits })
  const changed = limitKeys.filter((key) => sent[key] !== before[key])
  const pick = (of: Record<string, number>) => Object.fromEntries(changed.map((key) => [key, of[key]]))
  const change = { from: pick(before), to: pick(sent) }
  await audit(tx, now, scope, 'foundation.limits_changed', subject, change)
}

interface SentLogo {
  version: number
  name: string
  logo: Omit<Logo, 'bytes'> & { bytes: StoredContent }
}

/** Refuses with `changed_meanwhile` if the logo has changed. */
export async function refuseOtherLogo(db: Db, version: number): Promise<void> {
  const now = await db.selectFrom('foundation').select('logo_version').executeTakeFirst()
  if (now && now.logo_version !== version) throw new Refusal('changed_meanwhile')
}

/** Re-encodes and stores an uploaded logo. Refuses with `logo.*` and `file.*`. */
export async function readSentLogo(
  files: FileStore,
  upload: { name: string; bytes: Buffer },
  version: number,
): Promise<SentLogo> {
  const name = upload.name.replace(/\.[a-z0-9]{1,5}$/i, '')
  const { bytes, ...size } = await acceptLogo(upload.bytes)
  return { version, name: `${name}.png`, logo: { ...size, bytes: await files.put(bytes) } }
}

/** Sets the foundation's logo. Refuses with `changed_meanwhile`. */
export async function saveLogo(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  files: FileStore,
  { version, name, logo }: SentLogo,
): Promise<void> {
  const row = await takePart(tx, 'logo', version)
  const from = await nameOfLogo(tx, row)
  const { bytes, width, height } = logo
  const logoFile = { kind: 'logo', name, mediaType: 'image/png', bytes }
  const id = await storeFile(tx, files, now, logoFile)
  await setPart(tx, 'logo', { logo_file_id: id, logo_width: width, logo_height: height })
  await dropFile(tx, row.logo_file_id)
  await audit(tx, now, scope, 'foundation.logo_changed', subject, {
    from: { logo: from },
    to: { logo: name },
  })
}

/** Restores the built-in logo. Refuses with `changed_meanwhile`. */
export async function removeLogo(tx: Tx, scope: OfficeScope, now: Date, version: number): Promise<void> {
  const row = await takePart(tx, 'logo', version)
  const from = await nameOfLogo(tx, row)
  await setPart(tx, 'logo', { logo_file_id: null, logo_width: 0, logo_height: 0 })
  await dropFile(tx, row.logo_file_id)
  await audit(tx, now, scope, 'foundation.logo_removed', subject, { from: { logo: from }, to: { logo: '' } })
}

async function nameOfLogo(tx: Tx, { logo_file_id: id }: Row): Promise<string> {
  if (id === null) return ''
  const row = await tx.selectFrom('files').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? ''
}

/** Deletes a file's row; the nightly sweep deletes its content. */
async function dropFile(tx: Tx, id: string | null): Promise<void> {
  if (id !== null) await tx.deleteFrom('files').where('id', '=', id).execute()
}

/** Saves the standard reasons for one kind of decision. Refuses with `changed_meanwhile` if this kind has changed. */
export async function saveReasons(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind, reasons, version }: ParsedBody<typeof saveReasonsCall>,
): Promise<void> {
  const before = await findRow(tx, 'standard_reasons', { kind }, ['reasons', 'version'], { lock: true })
  if (before.version !== version) throw new Refusal('changed_meanwhile')
  await changeRows(tx, 'standard_reasons', {
    where: { kind },
    set: { reasons: JSON.stringify(reasons), version: version + 1 },
  })
  const describe = (list: readonly StandardReason[]) => ({
    [`${kind}Reasons`]: list.map(({ en, hi }) => (hi === '' ? en : `${en} (${hi})`)),
  })
  await audit(tx, now, scope, 'foundation.reasons_changed', subject, {
    from: describe(reasonsForm.shape.reasons.parse(before.reasons)),
    to: describe(reasons),
  })
}

/** Cancels a job. An unknown job is not found, a finished one is refused. */
export async function stopJob(tx: Tx, scope: OfficeScope, now: Date, id: string): Promise<void> {
  const { rows } = await sql<{ kind: string; school_id: number | null }>`
    select kind, school_id from jobs where id = ${id}`.execute(tx)
  const job = orNotFound(rows[0])
  if (!(await cancelJob(tx, now, id))) throw new Refusal('jobs.ended')
  const subject = { kind: 'job', id, ...(job.school_id === null ? {} : { schoolId: job.school_id }) }
  await audit(tx, now, scope, 'job.cancelled', subject, { kind: job.kind })
}
