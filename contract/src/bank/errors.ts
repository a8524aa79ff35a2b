/** Bank statements, credits, refunds, closed days and the foundation's accounts. */
export const bankErrors = {
  'bank.no_columns': {
    status: 400,
    sentence: 'Choose the columns for the day, the narration and the money received.',
  },
  'bank.no_lines': { status: 400, sentence: 'No line of this file could be read with these columns.' },
  'bank.unknown_account': { status: 400, sentence: 'Choose the account of this statement.' },
  'bank.decided': { status: 409, sentence: 'Someone else has already decided on this line.' },
  'bank.booking': {
    status: 409,
    sentence: 'This line is about to be booked. Undo that first, or wait a minute.',
  },
  'bank.booking_over': {
    status: 409,
    sentence: 'The minute is over: this line is already booked or open again.',
  },
  'bank.rule_known': { status: 409, sentence: 'There is a rule with this text already.' },
  'bank.sums': {
    status: 400,
    sentence: 'What you book must add up to the line: items and credit on one side, the line on the other.',
  },
  'bank.paid_by_other': {
    status: 409,
    sentence: 'This payment was already matched with another line.',
  },
  'bank.day_closed': { status: 409, sentence: 'This day is closed and can no longer be changed.' },
  'bank.day_not_over': { status: 409, sentence: 'A day can be closed once it is over.' },
  'bank.earlier_day_open': { status: 409, sentence: 'An earlier day is still open. Please close it first.' },
  'bank.note_needed': {
    status: 400,
    sentence: 'Payments of this day have no bank line. Please write why.',
  },
  'bank.working': { status: 409, sentence: 'This is already running. Please wait until it is done.' },
  'bank.reconciled': { status: 409, sentence: 'This bank statement is closed. Its lines can’t be changed.' },
  'bank.not_reconciled': { status: 409, sentence: 'This bank statement is not closed.' },
  'bank.no_sums': {
    status: 409,
    sentence:
      'This statement was imported before its totals were kept. Import the file again and close that one.',
  },
  'bank.balances_needed': { status: 400, sentence: 'Enter the opening and the closing balance.' },
  'bank.lines_open': { status: 409, sentence: 'Some lines of this statement are not reconciled yet.' },
  'bank.difference': {
    status: 409,
    sentence: 'The balances and the lines of this statement differ. The difference must be 0.',
  },
  'credit.too_little': { status: 409, sentence: 'The school does not have that much credit.' },
  'refund.decided': { status: 409, sentence: 'This refund has already been decided.' },
  'refund.own': { status: 403, sentence: 'Someone else has to approve what you proposed.' },
  'refund.settled': { status: 409, sentence: 'This refund is already paid or sent back.' },
  'refund.not_approved': { status: 409, sentence: 'Only an approved refund can be paid or sent back.' },
  'refund.utr_used': { status: 409, sentence: 'Another refund has this UTR already.' },
  'refund.none_to_pay': { status: 409, sentence: 'No refund is waiting for a bank transfer.' },
  'second.too_new': {
    status: 403,
    sentence: 'Your sign-in is newer than this proposal. Someone who was in the office before has to decide.',
  },
  'account.change_decided': { status: 409, sentence: 'This change has already been decided.' },
  'account.change_open': {
    status: 409,
    sentence: 'Another change of this account is waiting for approval. Please decide on it first.',
  },
  'account.change_own': { status: 403, sentence: 'Someone else has to approve what you proposed.' },
  'account.change_none': { status: 400, sentence: 'Schools already see this account.' },
} as const satisfies Record<string, { status: number; sentence: string }>
