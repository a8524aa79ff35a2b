import type { Endpoint } from '@podium/contract/endpoint'
import { Refusal } from '../errors.ts'
import type { OfficeScope, Scope } from './scope.ts'

/** For so long what was proved at the sign-in, or since, is believed (docs/security.md, T7, T20; ASVS 5.0, 7.5.3). */
export const confirmedMinutes = 10

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
