import type { Endpoint } from '@podium/contract/endpoint'
import type { ErrorCode } from '@podium/contract/errors'
import { Refusal } from '../errors.ts'
import type { OfficeScope, Scope } from './scope.ts'

/** For so long what was proved at the sign-in, or since, is believed (docs/security.md, T7, T20; ASVS 5.0, 7.5.3). */
const confirmedMinutes = 10

/**
 * The office's calls that a session alone does not open: its officer has proved a password or a second factor within
 * the last minutes. Whoever finds an open desk or steals a token stops here. Of long work the call that asks for it
 * and the one that fetches what came of it. What takes back, stops or holds is not delayed.
 */
export const confirmedCalls: ReadonlySet<string> = new Set([
  // Where schools pay to
  'POST /api/office/accounts/propose',
  'POST /api/office/accounts/decide',
  // Who works in the office, and as what
  'POST /api/office/staff/invite',
  'POST /api/office/staff/role',
  'POST /api/office/staff/standing',
  'POST /api/office/staff/resetSecondFactor',
  // Results that become valid; a correction is a version of its own, approved and released by the same calls
  'POST /api/office/results/approve',
  'POST /api/office/results/release',
  'POST /api/office/nextLevel/approve',
  // What can't be brought back
  'POST /api/office/privacy/carryOut',
  'POST /api/office/backups/runRetention',
  // Names, contacts and marks of children and of people of schools, as files
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
  // The portal of a school, with the names and contacts of its children and their files
  'POST /api/office/visits/start',
  // Access codes on paper, which open a school and with it its children
  'POST /api/office/schools/letter',
  'POST /api/office/schools/letterStart',
  'POST /api/office/schools/letterFile',
  // What all schools read in the foundation's name, and nobody can call back
  'POST /api/office/mailings/send',
  // Everything
  'POST /api/office/backups/backUp',
])

/** Refuses with `session.confirm` who has to prove again that it is still the same person. */
export function refuseUnconfirmed(scope: unknown, { method, path }: Endpoint, now: Date): void {
  if (!confirmedCalls.has(`${method} ${path}`)) return
  const { kind, confirmedAt } = scope as Scope & Pick<OfficeScope, 'confirmedAt'>
  const age = kind === 'office' && confirmedAt ? now.getTime() - confirmedAt.getTime() : Infinity
  if (age > confirmedMinutes * 60_000) throw new Refusal('session.confirm')
}

/**
 * Who may do what in the office, in one table: permission → the roles that have it.
 * `signed-in` is any member of staff. Families have no permissions: their scope says whose data they reach. For the
 * people of a school see `coordinatorsCalls`.
 */
export const permissions = {
  'signed-in': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'schools.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'schools.decide': ['owner', 'operations'],
  // Notes on schools and what is followed up: whoever talks to them
  'schools.notes': ['owner', 'operations', 'accounts', 'results'],
  'schools.write': ['owner', 'operations'],
  // The register of schools as a file, with how each is reached
  'schools.export': ['owner', 'operations'],
  // Two entries of one school made one: can not be taken back
  'schools.merge': ['owner', 'operations'],
  // The access codes of schools: shown, printed, made anew
  'schools.codes': ['owner', 'operations'],
  // The children of all schools; their parents' contact is masked but for who calls them
  'students.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'students.contact': ['owner', 'operations'],
  'students.export': ['owner', 'operations', 'results'],
  'students.write': ['owner', 'operations'],
  // The link and access code of a family: shown, sent, made anew, taken back
  'students.codes': ['owner', 'operations'],
  // A registration fee that need not be paid: asked for, and decided by somebody else
  'waivers.read': ['owner', 'operations', 'accounts', 'viewer'],
  'waivers.ask': ['owner', 'operations'],
  'waivers.decide': ['owner', 'accounts'],
  'payments.read': ['owner', 'operations', 'accounts', 'viewer'],
  'payments.decide': ['owner', 'accounts'],
  // A reconciled statement of the bank, open again
  'payments.reopen': ['owner'],
  'results.read': ['owner', 'results', 'viewer'],
  'results.import': ['owner', 'results'],
  'results.approve': ['owner', 'results'],
  'results.release': ['owner', 'results'],
  // Invitations to the next level: the list, its mails, its file; approved with results.approve by somebody else
  'results.invite': ['owner', 'results'],
  'catalogue.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  // Seasons, dates, prices, lists
  'catalogue.write': ['owner', 'operations'],
  // What decides about ranks, medals and prizes
  'catalogue.rules': ['owner', 'results'],
  'notices.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'notices.write': ['owner', 'operations'],
  // What everybody did: the whole record, and the same as a file
  'changes.read': ['owner', 'operations', 'viewer'],
  'changes.export': ['owner'],
  // Acting for a school in its portal, for a reason and a limited time
  'schools.act': ['owner', 'operations'],
  // Reminders to schools
  'nudges.send': ['owner', 'operations'],
  // E-mails to all schools that filters leave
  'mailings.send': ['owner', 'operations'],
  // Mail texts and mails that failed, long work
  'mails.read': ['owner', 'operations', 'viewer'],
  'mails.write': ['owner', 'operations'],
  // Mails found by whom they go to: letter by letter a search would tell the addresses that the list masks
  'mails.addresses': ['owner', 'operations'],
  'jobs.read': ['owner', 'operations', 'accounts', 'results', 'viewer'],
  'jobs.cancel': ['owner', 'operations'],
  // Requests of families about a child's data: seen, and checked, granted, carried out
  'privacy.read': ['owner', 'operations', 'viewer'],
  'privacy.write': ['owner', 'operations'],
  // Breaches of personal data: the register; entered, picked and worded; mails approved, closed, reopened
  'incidents.read': ['owner', 'operations', 'viewer'],
  'incidents.write': ['owner', 'operations'],
  'incidents.decide': ['owner'],
  'settings.write': ['owner'],
  // Backups, and what is deleted when its time is over
  'backups.read': ['owner', 'operations', 'viewer'],
  'backups.run': ['owner'],
  // What goes out to schools, and what comes in from them
  'dispatch.read': ['owner', 'operations', 'accounts', 'viewer'],
  'dispatch.write': ['owner', 'operations'],
  // Exam papers with children's names, online schedules
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

/** All that a role may do; the office's screens show and disable by it. */
export function permissionsOf(role: string): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((permission) => mayDo(role, permission))
}

/**
 * What only the coordinator of a school does, with the refusal for its other staff. They do all the rest: enter and
 * import students, order books, send payment details, choose dates, print slips and make a family's code anew (whoever
 * hands the slips out does that), see results, and answer for their own password and sign-ins alone. The access code of
 * the school's letter is the office's; nobody of a school sets somebody else's password.
 */
export const coordinatorsCalls: Readonly<Record<string, ErrorCode>> = {
  // Closing a list decides what is paid for and printed
  'POST /api/ManageStudent/SignOffLists': 'signoff.not_coordinator',
  'POST /api/ManageStudent/ReopenList': 'signoff.not_coordinator',
  // Who sees the data of children
  'POST /api/ManageSchool/InviteColleague': 'access.not_coordinator',
  'POST /api/ManageSchool/ResendInvitation': 'access.not_coordinator',
  'POST /api/ManageSchool/WithdrawInvitation': 'access.not_coordinator',
  'POST /api/ManageSchool/RemoveColleague': 'access.not_coordinator',
  'POST /api/ManageSchool/OfferCoordination': 'access.not_coordinator',
  'POST /api/ManageSchool/WithdrawOffer': 'access.not_coordinator',
}

/**
 * For whom jobs of a kind work: the program itself, an officer who must have a permission, somebody of a school; or, for
 * a kind that both ask for, an officer where the job is no school's.
 */
export type JobAsker = 'program' | 'school' | Permission | { school: true; office: Permission }
export type JobAskers = Readonly<Record<string, JobAsker>>

/**
 * Whom each kind of long work is done for, by which it is refused when it begins. What the program does for itself, or to
 * carry out what was decided before (the receipt of a verified payment, telling of results whose time has come), it does
 * whoever has left meanwhile.
 */
export const jobAskers: JobAskers = {
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
  'schools.merge': 'schools.merge',
  'schools.import_check': 'schools.write',
  'schools.import': 'schools.write',
  'secret.rotation': 'program',
}

/**
 * What stays with the school's own people while an officer acts for them: passwords, sign-ins and their own settings,
 * who of them comes in and who coordinates, codes and links that open something, what a parent has asked them, the word of
 * having paid, and the name under a list (docs/security.md, T9, T12, T19; docs/algorithms/sign-off.md).
 */
export const schoolsOwnCalls: ReadonlySet<string> = new Set([
  'POST /api/Account/LogoutEverywhere',
  'GET /api/Account/GetSessions',
  'POST /api/Account/EndSession',
  'POST /api/Account/SetLanguage',
  'POST /api/Account/ChangePassword',
  'POST /api/Account/SaveProfile',
  'POST /api/Account/SaveSchoolDetails',
  'POST /api/Account/AnswerAskedBack',
  'POST /api/ManageSchool/Save_PaymentDetails',
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
])

/** Refuses an officer who acts for a school what only its own people do. */
export function refuseActing(scope: unknown, { method, path }: Endpoint): void {
  const acting =
    typeof scope === 'object' && scope !== null && 'acting' in scope && scope.acting !== undefined
  if (acting && schoolsOwnCalls.has(`${method} ${path}`)) throw new Refusal('access.acting')
}

/** Refuses somebody of a school what its coordinator alone does. */
export function refuseStaff(scope: unknown, { method, path }: Endpoint): void {
  const staff =
    typeof scope === 'object' && scope !== null && 'coordinator' in scope && scope.coordinator === false
  const refusal = staff ? coordinatorsCalls[`${method} ${path}`] : undefined
  if (refusal) throw new Refusal(refusal)
}
