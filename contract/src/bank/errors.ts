/** Bank statements, credits, refunds, closed days and the foundation's accounts. */
export const bankErrors = {
  'bank.no_columns': {
    status: 400,
    sentence: 'Say which columns hold the day, the narration and the money that came in.',
  },
  'bank.no_lines': { status: 400, sentence: 'No line of this file could be read with these columns.' },
  'bank.unknown_account': { status: 400, sentence: 'Choose the account that this statement is of.' },
  'bank.decided': { status: 409, sentence: 'Somebody else has decided upon this line meanwhile.' },
  'bank.sums': {
    status: 400,
    sentence: 'What you book must add up to the line: items and credit on one side, the line on the other.',
  },
  'bank.paid_by_other': {
    status: 409,
    sentence: 'The money of this payment was found in another line already.',
  },
  'bank.day_closed': { status: 409, sentence: 'This day is closed and is not changed any more.' },
  'bank.day_not_over': { status: 409, sentence: 'A day can be closed once it is over.' },
  'bank.earlier_day_open': { status: 409, sentence: 'An earlier day is still open. Please close it first.' },
  'bank.note_needed': {
    status: 400,
    sentence: 'Payments of this day have no bank line. Please write why.',
  },
  'bank.working': { status: 409, sentence: 'This is being done already. Please wait until it has ended.' },
  'credit.too_little': { status: 409, sentence: 'The school does not have so much credit.' },
  'refund.decided': { status: 409, sentence: 'This refund has been decided meanwhile.' },
  'refund.own': { status: 403, sentence: 'Somebody else has to approve what you have proposed.' },
  'second.too_new': {
    status: 403,
    sentence:
      'Your sign-in was made after this was proposed. Somebody who was in the office before has to decide.',
  },
  'account.change_decided': { status: 409, sentence: 'This change has been decided meanwhile.' },
  'account.change_open': {
    status: 409,
    sentence: 'Another change of this account waits for its approval. Please decide upon it first.',
  },
  'account.change_own': { status: 403, sentence: 'Somebody else has to approve what you have proposed.' },
  'account.change_none': { status: 400, sentence: 'This is the account that schools see already.' },
} as const satisfies Record<string, { status: number; sentence: string }>
