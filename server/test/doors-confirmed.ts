/**
 * Files of the office that a session alone opens, each with the reason; all others stand in confirm.ts. A name of an
 * officer («decided by») counts for nobody here: the office's own list of people asks for a proof.
 */
export const plainFiles: Readonly<Record<string, string>> = {
  // No names, contacts or marks of children, families or people of schools
  'GET /api/office/settings/specimen': 'an empty sheet with the letterhead',
  'GET /api/office/schools/importTemplate': 'an empty table to fill in',
  'POST /api/office/catalogue/exportList': 'entries of the lists that forms offer',
  'POST /api/office/catalogue/exportPrices': 'days, fees and prices',
  'POST /api/office/closing/export': 'decisions upon money by school',
  'POST /api/office/dispatch/exportDue': 'counts by school, subject and class',
  'POST /api/office/dispatch/exportPackets': 'parcels by school, with their counts and states',
  'POST /api/office/dispatch/labels': 'postal addresses and telephone numbers of schools, for parcels',
  'POST /api/office/incidents/export': 'breaches with figures of those affected',
  'POST /api/office/jobs/export': 'long work by kind and state',
  'POST /api/office/ledger/export': 'sums by school',
  'POST /api/office/notices/export': 'notices, with counts of schools',
  'POST /api/office/nudges/export': 'schools with their next step',
  'POST /api/office/payments/export': 'payments by school',
  'POST /api/office/receipts/export': 'receipts by school',
  'POST /api/office/schedules/export': 'slots, with counts of places',
  // The paper of one case, which is looked at many times a day to decide upon it
  'GET /api/office/ledger/statement': 'sums of one school, as it gets them itself',
  'GET /api/office/payments/proof': 'the proof of one payment',
  'GET /api/office/payments/proof/page': 'a page of the same',
  'GET /api/office/payments/receipt': 'the receipt of one payment',
  'GET /api/office/waivers/evidence': 'the evidence of one waiver',
}
