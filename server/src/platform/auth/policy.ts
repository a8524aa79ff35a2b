import type { Endpoint } from '@podium/contract/endpoint'
import type { ErrorCode } from '@podium/contract/errors'
import { Refusal } from '../errors.ts'
import type { OfficeScope, Scope } from './scope.ts'

/** How long a proof at sign-in, or later, counts as recent (docs/security.md, T7, T20; ASVS 5.0, 7.5.3). */
const confirmedMinutes = 10

/**
 * The office's calls that need more than a session: the officer must have proved a password or a second factor within
 * the last minutes. This stops anyone at an unattended desk or with a stolen token. For background jobs, both the call
 * that starts one and the call that downloads its result are listed. Calls that undo, stop or withhold something are
 * not delayed.
 */
export const confirmedCalls: ReadonlySet<string> = new Set([
  // Where schools pay to
  'POST /api/office/accounts/propose',
  'POST /api/office/accounts/decide',
  // Money that is paid back, a fee that is not asked for, and an entry that ends for good and leaves its school a credit
  'POST /api/office/credits/propose',
  'POST /api/office/credits/decide',
  'POST /api/office/waivers/approve',
  'POST /api/office/students/cancel',
  // Who works in the office, and in which role
  'POST /api/office/staff/invite',
  'POST /api/office/staff/role',
  'POST /api/office/staff/status',
  'POST /api/office/staff/resetSecondFactor',
  // Results becoming valid; a correction is a version of its own, approved and released by the same calls
  'POST /api/office/results/approve',
  'POST /api/office/results/release',
  'POST /api/office/nextLevel/approve',
  // What can't be undone; merging also shows the students of one school to the staff of the other
  'POST /api/office/schools/merge',
  'POST /api/office/privacy/carryOut',
  'POST /api/office/backups/runRetention',
  // Names, contacts and marks of students and school staff, as files
  'POST /api/office/students/export',
  'POST /api/office/waivers/export',
  'POST /api/office/privacy/export',
  'POST /api/office/privacy/file',
  'POST /api/office/nextLevel/export',
  'GET /api/office/results/template',
  'POST /api/office/results/exportAnomalies',
  'POST /api/office/results/exportPreview',
  'POST /api/office/results/startCertificates',
  'POST /api/office/results/certificateFile',
  'POST /api/office/results/packetCertificates',
  'POST /api/office/exams/print',
  'POST /api/office/exams/start',
  'POST /api/office/exams/file',
  'POST /api/office/dispatch/packingLists',
  'POST /api/office/Applications/Export',
  'POST /api/office/schools/export',
  'GET /api/office/schools/importFaults',
  'POST /api/office/questions/export',
  'POST /api/office/mails/export',
  'POST /api/office/bank/export',
  'POST /api/office/credits/export',
  'POST /api/office/credits/transfers',
  'POST /api/office/audit-log/export',
  'POST /api/office/staff/export',
  // A school's portal, with the names and contacts of its students and their files
  'POST /api/office/acting/start',
  // A student shown to the staff of another school; who invites others to a school and sees its students
  'POST /api/office/students/move',
  'POST /api/office/schools/coordinator',
  // Access codes and invitations, which open a school and with it its students' data, or a family's page
  'POST /api/office/students/familyCode',
  'POST /api/office/schools/code',
  'POST /api/office/schools/invite',
  'POST /api/office/schools/letter',
  'POST /api/office/schools/letterStart',
  'POST /api/office/schools/letterFile',
  // What all schools and families read in the foundation's name: an account to pay to, or a number to call, could be
  // written there, past the two people whom a bank account needs
  'POST /api/office/mailings/send',
  'POST /api/office/incidents/send',
  'POST /api/office/mails/saveText',
  'POST /api/office/notices/save',
  'POST /api/office/settings/saveSupport',
  'POST /api/office/settings/saveFoundation',
  // Schools read the note at once where the list was sent before, and follow a courier's link
  'POST /api/office/nextLevel/save',
  'POST /api/office/dispatch/courier',
  // A receipt that a school holds is cancelled
  'POST /api/office/bank/returned',
  // Everything
  'POST /api/office/backups/backUp',
])

/** Refuses with `session.confirm` if the officer must prove their identity again for this call. */
export function refuseUnconfirmed(scope: unknown, { method, path }: Endpoint, now: Date): void {
  if (confirmedCalls.has(`${method} ${path}`)) refuseOldProof(scope, now)
}

/** The same, for a call that needs a recent proof only with some input. */
export function refuseOldProof(scope: unknown, now: Date): void {
  const { kind, confirmedAt } = scope as Scope & Pick<OfficeScope, 'confirmedAt'>
  const age = kind === 'office' && confirmedAt ? now.getTime() - confirmedAt.getTime() : Infinity
  if (age > confirmedMinutes * 60_000) throw new Refusal('session.confirm')
}

/**
 * Who may do what in the office, in one table: permission → the roles that have it. `signed-in` is any member of staff.
 * Families have no permissions: their scope limits what they reach. For a school's staff see `coordinatorsCalls`.
 */
export const permissions = {
  'signed-in': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'schools.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'schools.decide': ['owner', 'operations'],
  // Notes on schools and follow-ups: anyone who talks to them
  'schools.notes': ['owner', 'operations', 'accounts', 'results'],
  'schools.write': ['owner', 'operations'],
  // The register of schools as a file, with contact details
  'schools.export': ['owner', 'operations'],
  // Merging two records of the same school; can't be undone
  'schools.merge': ['owner', 'operations'],
  // The access codes of schools: show, print, replace
  'schools.codes': ['owner', 'operations'],
  // The students of all schools; their parents' contacts are masked except for those who call them
  'students.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'students.contact': ['owner', 'operations'],
  'students.export': ['owner', 'operations', 'results'],
  'students.write': ['owner', 'operations'],
  // A family's link and access code: show, send, replace, revoke
  'students.codes': ['owner', 'operations'],
  // Waiving a registration fee: requested, and decided by someone else
  'waivers.read': ['owner', 'operations', 'accounts', 'viewer'],
  'waivers.ask': ['owner', 'operations'],
  'waivers.decide': ['owner', 'accounts'],
  'payments.read': ['owner', 'operations', 'accounts', 'viewer'],
  'payments.decide': ['owner', 'accounts'],
  // Reopening a reconciled bank statement
  'payments.reopen': ['owner'],
  'results.read': ['owner', 'results', 'viewer'],
  'results.import': ['owner', 'results'],
  'results.approve': ['owner', 'results'],
  'results.release': ['owner', 'results'],
  // Invitations to the next level: the list, its mails, its file; approved with results.approve by someone else
  'results.invite': ['owner', 'results'],
  'catalogue.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  // Seasons, dates, prices, lists
  'catalogue.write': ['owner', 'operations'],
  // Rules for ranks, medals and prizes
  'catalogue.rules': ['owner', 'results'],
  'notices.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'notices.write': ['owner', 'operations'],
  // The activity log: on screen, and as a file
  'changes.read': ['owner', 'operations', 'viewer'],
  'changes.export': ['owner'],
  // Acting for a school in its portal, with a reason and for a limited time
  'schools.act': ['owner', 'operations'],
  // Reminders to schools
  'reminders.send': ['owner', 'operations'],
  // E-mails to all schools that match a filter
  'mailings.send': ['owner', 'operations'],
  // Mail texts, failed mails, background jobs
  'mails.read': ['owner', 'operations', 'viewer'],
  'mails.write': ['owner', 'operations'],
  // Searching mails by recipient: letter by letter, a search would reveal the addresses that the list masks
  'mails.addresses': ['owner', 'operations'],
  'jobs.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'jobs.cancel': ['owner', 'operations'],
  // Families' requests about a student's data: view; check, grant, carry out
  'privacy.read': ['owner', 'operations', 'viewer'],
  'privacy.write': ['owner', 'operations'],
  // Personal data breaches: view the register; enter, select and word; approve mails, close, reopen
  'incidents.read': ['owner', 'operations', 'viewer'],
  'incidents.write': ['owner', 'operations'],
  'incidents.decide': ['owner'],
  // Saved views of lists that everyone sees: roles that change something, not those that only read
  'views.share': ['owner', 'operations', 'accounts', 'results'],
  'settings.write': ['owner'],
  // Backups, and deleting data whose retention period is over
  'backups.read': ['owner', 'operations', 'viewer'],
  'backups.run': ['owner'],
  // Parcels to schools and returns from them: on screen and as a list; with `write` also labels, packing lists and couriers'
  // files, which have the addresses and phones of schools
  'dispatch.read': ['owner', 'operations', 'accounts', 'viewer'],
  'dispatch.write': ['owner', 'operations'],
  // Exam papers with students' names, online schedules
  'exams.read': ['owner', 'operations', 'results', 'viewer'],
  'exams.write': ['owner', 'operations'],
  'questions.read': ['owner', 'operations', 'results', 'viewer'],
  'questions.write': ['owner', 'operations'],
  'staff.manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Role = 'owner' | 'operations' | 'accounts' | 'results' | 'viewer'
export type Permission = keyof typeof permissions

export function mayDo(role: string, permission: Permission): boolean {
  return (permissions[permission] as readonly string[]).includes(role)
}

/** Returns all permissions of a role; the office's screens show and disable controls accordingly. */
export function permissionsOf(role: string): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((permission) => mayDo(role, permission))
}

/**
 * Calls reserved for a school's coordinator, with the refusal for its other staff. The others can do everything else:
 * enter and import students, order books, send payment details, choose dates, print slips and renew a family's code
 * (whoever hands out the slips needs that), see results, and manage only their own password and sign-ins. The access
 * code of the school's letter belongs to the office; nobody at a school can set someone else's password.
 */
export const coordinatorsCalls: Readonly<Record<string, ErrorCode>> = {
  // Signing off a list decides what is paid for and printed
  'POST /api/ManageStudent/SignOffLists': 'signoff.not_coordinator',
  'POST /api/ManageStudent/ReopenList': 'signoff.not_coordinator',
  // Who sees students' data
  'POST /api/ManageSchool/InviteColleague': 'access.not_coordinator',
  'POST /api/ManageSchool/ResendInvitation': 'access.not_coordinator',
  'POST /api/ManageSchool/WithdrawInvitation': 'access.not_coordinator',
  'POST /api/ManageSchool/RemoveColleague': 'access.not_coordinator',
  'POST /api/ManageSchool/OfferCoordination': 'access.not_coordinator',
  'POST /api/ManageSchool/WithdrawOffer': 'access.not_coordinator',
}

/**
 * Who can request jobs of a kind: the program itself, an officer with a permission, or a school's user. A kind that
 * both request is an officer's when its job belongs to no school.
 */
export type JobRequester = 'program' | 'school' | Permission | { school: true; office: Permission }
export type JobRequesters = Readonly<Record<string, JobRequester>>

/**
 * Who can request each kind of job; checked again when the job begins. Jobs that the program starts itself, or that
 * carry out an earlier decision (the receipt of a verified payment, announcing results when their time has come), run
 * even if the person who decided has left.
 */
export const jobRequesters: JobRequesters = {
  'schools.letters': 'schools.codes',
  'schools.mailing': 'mailings.send',
  'overview.figures': 'program',
  backup: 'backups.run',
  'backup.night': 'program',
  retention: 'backups.run',
  'retention.night': 'program',
  'students.import': 'school',
  'students.print': 'school',
  'payment-receipt': 'program',
  'receipts.zip': 'payments.read',
  'bank-match': 'program',
  'bank-book': 'payments.decide',
  'bank-book-line': 'payments.decide',
  'results.import': 'results.import',
  'results.compute': 'results.import',
  'results.whatIf': 'catalogue.rules',
  'results.announce': 'program',
  'results.certificates': { school: true, office: 'results.release' },
  'next_level.send': 'results.invite',
  'next_level.remind': 'results.invite',
  'dispatch.pack': 'dispatch.write',
  'exams.papers': 'exams.write',
  'exams.date_moved': 'program',
  'schools.merge': 'schools.merge',
  'schools.import_check': 'schools.write',
  'schools.import': 'schools.write',
  'secret.rotation': 'program',
}

/**
 * Calls reserved for a school's own staff while an officer acts for it: passwords, sign-ins and personal settings, who
 * joins and who coordinates, codes and links that open something, parents' requests, the statements that a payment was
 * made and that a parcel arrived, and the name under a list (docs/security.md, T9, T12, T19; docs/algorithms/sign-off.md).
 */
export const schoolsOwnCalls: ReadonlySet<string> = new Set([
  'POST /api/Account/LogoutEverywhere',
  'GET /api/Account/GetSessions',
  'POST /api/Account/EndSession',
  'POST /api/Account/SetLanguage',
  'POST /api/Account/ChangePassword',
  'POST /api/Account/SaveProfile',
  'POST /api/Account/SaveSchoolDetails',
  'POST /api/Account/WithdrawApplication',
  'POST /api/Account/AnswerAskedBack',
  'POST /api/ManageSchool/Save_PaymentDetails',
  'POST /api/ManageSchool/WithdrawPayment',
  'POST /api/ManageSchool/ReadNotice',
  'POST /api/ManageSchool/InviteColleague',
  'POST /api/ManageSchool/ResendInvitation',
  'POST /api/ManageSchool/WithdrawInvitation',
  'POST /api/ManageSchool/RemoveColleague',
  'POST /api/ManageSchool/OfferCoordination',
  'POST /api/ManageSchool/WithdrawOffer',
  'POST /api/ManageSchool/AnswerOffer',
  'POST /api/ManageStudent/AskForFamily',
  'POST /api/ManageStudent/WithdrawDataRequest',
  'POST /api/ManageStudent/FamilySlips',
  'POST /api/ManageStudent/RenewFamilyLink',
  'POST /api/ManageStudent/SignOffLists',
  'POST /api/ManageStudent/ReopenList',
  'POST /api/ManageResult/RenewLink',
  // It says what arrived in the name of the school's person; the office sends the parcel
  'POST /api/ManageBook/ConfirmReceipt',
])

/** Refuses calls reserved for the school's own staff when an officer acts for the school. */
export function refuseActing(scope: unknown, { method, path }: Endpoint): void {
  const acting =
    typeof scope === 'object' && scope !== null && 'acting' in scope && scope.acting !== undefined
  if (acting && schoolsOwnCalls.has(`${method} ${path}`)) throw new Refusal('access.acting')
}

/** Refuses calls reserved for the coordinator when another member of the school's staff makes them. */
export function refuseStaff(scope: unknown, { method, path }: Endpoint): void {
  const staff =
    typeof scope === 'object' && scope !== null && 'coordinator' in scope && scope.coordinator === false
  const refusal = staff ? coordinatorsCalls[`${method} ${path}`] : undefined
  if (refusal) throw new Refusal(refusal)
}
