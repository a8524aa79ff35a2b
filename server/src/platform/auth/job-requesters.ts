import { sql } from 'kysely'
import { firstRow } from '#platform/db/rows'
import type { Db } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { type JobRequester, mayDo, type Permission } from './policy.ts'
import {
  type Acting,
  mint,
  type OfficeScope,
  type SchoolScope,
  type SystemScope,
  systemScope,
} from './scope.ts'

/** The scope that a job runs under. */
export type JobScope = OfficeScope | SchoolScope | SystemScope

/** The columns of a job's row that identify who requested it. */
interface JobRequest {
  kind: string
  schoolId: number | null
  createdBy: number | null
  input: Record<string, unknown>
}

const requesterGone = () => new Refusal('job.asker_gone')

async function officerOf(db: Db, staffId: number, permission: Permission): Promise<OfficeScope> {
  const row = await firstRow(db, 'staff', { id: staffId, disabled_at: null }, ['name', 'email', 'role'])
  if (!row || !mayDo(row.role, permission)) throw requesterGone()
  return mint<OfficeScope>({ kind: 'office', staffId, ...row, session: '' })
}

/** Whether the job has begun: what a visiting officer has started goes on after they have left the school's portal. */
interface Progress {
  begun?: boolean
}

async function refuseEndedActing(
  db: Db,
  now: Date,
  { actingSessionId, staffId }: Acting,
  userId: number,
  { begun = false }: Progress,
) {
  const { rows } = await sql<{ role: string }>`
    select f.role from acting_sessions v join staff f on f.id = v.staff_id
    where v.id = ${actingSessionId} and v.staff_id = ${staffId} and v.user_id = ${userId}
      and (${begun} or (v.ended_at is null and v.until > ${now})) and f.disabled_at is null`.execute(db)
  if (!mayDo(rows[0]?.role ?? '', 'schools.act')) throw requesterGone()
}

async function teacherOf(
  db: Db,
  now: Date,
  { schoolId, createdBy, input }: JobRequest,
  progress: Progress,
): Promise<SchoolScope> {
  const { rows } = await sql<Pick<SchoolScope, 'name' | 'email' | 'schoolCode' | 'coordinator'>>`
    select u.name, u.email, u.coordinator, s.code as "schoolCode" from users u join schools s on s.id = u.school_id
    where u.id = ${createdBy} and u.school_id = ${schoolId} and u.disabled_at is null
    and s.active`.execute(db)
  const [user] = rows
  if (!user || createdBy === null || schoolId === null) throw requesterGone()
  const acting = input.acting as Acting | undefined
  if (acting) await refuseEndedActing(db, now, acting, createdBy, progress)
  const scope = { kind: 'school', userId: createdBy, session: '', schoolId, ...user } as const
  return mint<SchoolScope>({ ...scope, ...(acting ? { acting } : {}) })
}

/**
 * Returns the scope of the person who requested a job, checked as the gate would check it now. Refuses if they have
 * since been deactivated, changed role or school, or if they no longer act as the school.
 */
export async function scopeOfJob(
  db: Db,
  now: Date,
  requester: JobRequester,
  job: JobRequest,
  progress: Progress = {},
): Promise<JobScope> {
  if (requester === 'program') return systemScope(job.kind)
  const bySchool = requester === 'school' || (typeof requester === 'object' && job.schoolId !== null)
  if (bySchool) return teacherOf(db, now, job, progress)
  const permission = typeof requester === 'object' ? requester.office : requester
  // Booking jobs from an earlier version name their officer only in the input.
  return officerOf(db, job.createdBy ?? Number(job.input.staffId), permission)
}

/** Returns the officer who requested the job. */
export function officerScope({ by }: { by: JobScope }): OfficeScope {
  if (by.kind !== 'office') throw new Error('no officer has asked for this job')
  return by
}

/** Returns the school's user who requested the job. */
export function teacherScope({ by }: { by: JobScope }): SchoolScope {
  if (by.kind !== 'school') throw new Error('nobody of a school has asked for this job')
  return by
}
