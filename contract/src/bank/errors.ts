import { refusals } from '../refusals.ts'

/** Bank statements, credits, refunds, closed days and the foundation's accounts. */
export const bankErrors = {
  ...refusals(400, {
    'bank.no_columns': 'Choose the columns for the day, the narration and the money received.',
    'bank.no_lines': 'No line of this file could be read with these columns.',
    'bank.unknown_account': 'Choose the account of this statement.',
    'bank.sums':
      'What you book must add up to the line: items and credit on one side, the line on the other.',
    'bank.note_needed': 'Payments of this day have no bank line. Please write why.',
    'bank.balances_needed': 'Enter the opening and the closing balance.',
    'account.change_none': 'Schools already see this account.',
  }),
  ...refusals(403, {
    'refund.own': 'You proposed this refund, so someone else must approve it.',
    'second.too_new': 'You joined after this was prepared, so someone else must decide.',
    'account.change_own': 'You proposed this change, so someone else must approve it.',
  }),
  ...refusals(409, {
    'bank.decided': 'Someone else has already decided on this line.',
    'bank.booking': 'This line is about to be booked. Undo that first, or wait a minute.',
    'bank.booking_over': 'The minute is over: this line is already booked or open again.',
    'bank.rule_known': 'There is a rule with this text already.',
    'bank.paid_by_other': 'This payment was already matched with another line.',
    'bank.day_closed': 'This day is closed and can no longer be changed.',
    'bank.day_not_over': 'A day can be closed once it is over.',
    'bank.earlier_day_open': 'An earlier day is still open. Please close it first.',
    'bank.working': 'This is already running. Please wait until it is done.',
    'bank.reconciled': 'This bank statement is closed. Its lines can’t be changed.',
    'bank.not_reconciled': 'This bank statement is not closed.',
    'bank.no_sums':
      'This statement was imported before its totals were kept. Import the file again and close that one.',
    'bank.lines_open': 'Some lines of this statement are not reconciled yet.',
    'bank.difference': 'The balances and the lines of this statement differ. The difference must be 0.',
    'credit.too_little': 'The school does not have that much credit.',
    'refund.decided': 'This refund has already been decided.',
    'refund.settled': 'This refund is already paid or sent back.',
    'refund.not_approved': 'Only an approved refund can be paid or sent back.',
    'refund.utr_used': 'Another refund has this UTR already.',
    'refund.none_to_pay': 'No refund is waiting for a bank transfer.',
    'account.change_decided': 'This change has already been decided.',
    'account.change_open':
      'Another change of this account is waiting for approval. Please decide on it first.',
  }),
}
