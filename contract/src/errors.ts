import { bankErrors } from './bank/errors.ts'
import { catalogueErrors } from './catalogue/errors.ts'
import { fileErrors } from './errors-files.ts'
import { trustErrors } from './errors-trust.ts'
import { messages } from './messages.ts'
import { resultErrors } from './results/errors.ts'
import { schoolErrors } from './schools/errors.ts'
import { dispatchErrors } from './shipping/errors.ts'
import { studentErrors } from './students/errors.ts'

/** What is refused when lists of students are printed, signed off and opened again: code → status and sentence. */
const listErrors = {
  // Paper
  'paper.nobody': { status: 409, sentence: 'There are no active students to print.' },
  'paper.no_offer': { status: 409, sentence: 'Nothing is offered to this class this season.' },
  'paper.too_many': { status: 409, sentence: 'One file holds at most 3000 students. Please choose a class.' },

  // Sign-off
  'signoff.not_coordinator': {
    status: 403,
    sentence: 'Access Denied: only your coordinator can sign off and reopen lists.',
  },
  'signoff.signed': { status: 409, sentence: 'This list has already been signed off.' },
  'signoff.not_signed': { status: 409, sentence: 'This list is open.' },
  'signoff.no_students': { status: 409, sentence: 'There are no students in this list.' },
  'signoff.count_differs': {
    status: 409,
    sentence: 'The number of students has changed. Check the list and sign it off again.',
  },
  'signoff.name_differs': { status: 409, sentence: 'Type your name as your account shows it.' },
} as const

/**
 * Every way in which a call can refuse: code → HTTP status and the sentence a person reads.
 * Expected outcomes of the specified calls (wrong password, wrong code) are 200 with `result: "error"`, as specified;
 * their sentences are the specification's own words, misspelt ones included.
 */
export const errors = {
  // Any call
  'input.invalid': { status: 400, sentence: 'Please check the marked fields.' },
  'request.malformed': { status: 400, sentence: 'The request could not be read.' },
  'session.missing': { status: 401, sentence: 'Please sign in.' },
  'session.ended': { status: 401, sentence: 'Your session has ended. Please sign in again.' },
  'session.reused': {
    status: 401,
    sentence:
      'Your sign-in was used somewhere else, so we ended it. If that was not you, change your password.',
  },
  'session.confirm': {
    status: 403,
    sentence: 'Please confirm with a code or your password.',
  },
  'access.denied': { status: 403, sentence: 'Access Denied: you are not allowed to do this.' },
  'access.other_school': { status: 403, sentence: 'Access Denied: this belongs to another school.' },
  'access.no_school': { status: 403, sentence: 'Access Denied: your school is not registered yet.' },
  'access.school_inactive': {
    status: 403,
    sentence: 'Access Denied: your school is deactivated in this portal. Please call the foundation.',
  },
  'request.cross_site': { status: 403, sentence: 'Access Denied: this request came from another site.' },
  not_found: { status: 404, sentence: 'Not Found: there is nothing here.' },
  changed_meanwhile: {
    status: 409,
    sentence:
      'Someone else changed this while you were editing. The latest state is shown; please try again.',
  },
  'request.repeated_differently': {
    status: 422,
    sentence: 'This request was sent before with different content.',
  },
  'request.in_progress': { status: 409, sentence: 'This is already being saved. Please wait a moment.' },
  'request.too_large': { status: 413, sentence: 'This is larger than we can take.' },
  'request.too_many': { status: 429, sentence: 'Too many tries. Please wait a little and try again.' },
  internal: { status: 500, sentence: 'Internal Server Error: something went wrong on our side.' },
  'job.asker_gone': {
    status: 403,
    sentence: 'Access Denied: whoever requested this is no longer allowed to.',
  },
  busy: { status: 503, sentence: 'The server is busy. Please try again in a moment.' },
  database_away: {
    status: 503,
    sentence: 'The portal cannot read or save right now. Please try again in a minute.',
  },

  // Accounts
  'account.wrong_sign_in': { status: 200, sentence: 'Invalid e-mail or password.' },
  'account.school_inactive': {
    status: 200,
    sentence: 'Your school is deactivated in this portal. Please call the foundation.',
  },
  'account.wrong_status_code': { status: 200, sentence: 'Invalid Status Code' },
  'account.bad_link': {
    status: 200,
    sentence: 'Oops! The link is invalid. Try scanning the QR code you downloaded and tap the link',
  },
  'account.wrong_otp': { status: 200, sentence: 'Invalid Otp' },
  'account.no_social_ticket': {
    status: 401,
    sentence: 'This sign-in has expired. Please choose the provider again.',
  },
  'account.email_not_proved': {
    status: 400,
    sentence: 'Please verify your e-mail first. The verification may have expired.',
  },
  'account.school_not_proved': {
    status: 400,
    sentence: "Please enter the school's access code first. It may have expired.",
  },
  'account.exists': { status: 409, sentence: 'This e-mail already has an account. Please sign in.' },
  'account.reset_expired': {
    status: 400,
    sentence: 'This link has expired or was already used. Please get a new one.',
  },
  'account.has_school': { status: 409, sentence: 'Your account already belongs to a school.' },
  'account.pending': {
    status: 409,
    sentence: "We have already received your school's details and are checking them.",
  },

  // Payments
  'payments.amount_changed': {
    status: 409,
    sentence:
      'The amount has changed since this page was opened. Please check the new amount and send it again.',
  },
  'payments.students_changed': {
    status: 409,
    sentence:
      'Some of these students have changed since this page was opened. Please check the list and send it again.',
  },
  'payments.already_sent': {
    status: 409,
    sentence: 'Payment details for these students were already sent and are being verified.',
  },
  'payments.pending_first': {
    status: 409,
    sentence: 'Your last payment is still being verified. You can pay for these students after that.',
  },
  'payments.order_changed': {
    status: 409,
    sentence: 'The library order has changed since this page was opened. Please check it and send it again.',
  },
  'payments.order_sent': {
    status: 409,
    sentence: 'Payment details for this library order were already sent and are being verified.',
  },
  'payments.order_pending_first': {
    status: 409,
    sentence:
      'Your last payment is still being verified. You can pay for the rest of the library order after that.',
  },
  'payments.decided': { status: 409, sentence: 'This payment has already been decided.' },
  'payments.own': {
    status: 403,
    sentence: 'This payment was sent from your own e-mail address. Someone else has to verify it.',
  },
  'payments.doubtful': {
    status: 409,
    sentence: 'This payment needs a closer look. Please open it and decide on it separately.',
  },
  'payments.not_exact': {
    status: 409,
    sentence: 'No open bank line shows exactly this payment now. Please open it and take a look.',
  },
  'payments.line_covers_more': {
    status: 409,
    sentence: 'Its bank line also pays for other payments. Select them together, or match the line itself.',
  },
  'payments.no_account': {
    status: 409,
    sentence: 'Bank details are not available yet. Please call the foundation.',
  },

  ...bankErrors,

  ...fileErrors,

  ...catalogueErrors,

  // The office
  'office.wrong_sign_in': { status: 200, sentence: 'Invalid e-mail or password.' },
  'office.wrong_code': { status: 200, sentence: 'This code is not correct. Please try the next one.' },
  'office.step_over': { status: 200, sentence: 'This took too long. Please sign in again.' },
  'office.set_up_over': { status: 200, sentence: 'This set-up link has been used or has expired.' },
  'application.decided': {
    status: 409,
    sentence: 'Someone else has already decided on this application.',
  },
  'application.code_taken': { status: 409, sentence: 'Another school has this code already.' },

  ...schoolErrors,
  ...studentErrors,

  // Enrolment
  'enrolment.duplicate': {
    status: 409,
    sentence: 'Another student of this class and section already has this roll no.',
  },
  'enrolment.amounts_changed': {
    status: 409,
    sentence: 'The amounts have changed. Please check the new ones and save again.',
  },
  'enrolment.closed': { status: 409, sentence: "Entries have closed for one of this student's subjects." },
  'enrolment.season_closed': { status: 409, sentence: 'This season is not open for enrolment.' },
  'enrolment.signed_off': {
    status: 409,
    sentence:
      "The list of one of this student's subjects is signed off. The coordinator can reopen it under Sign-off.",
  },
  'enrolment.paid': { status: 409, sentence: 'This student is paid and can no longer be changed.' },
  'enrolment.locked': {
    status: 409,
    sentence: 'A payment for this student is being verified, or books are paid. Nothing can be changed.',
  },
  'enrolment.deleted': {
    status: 409,
    sentence: 'This student is deleted. Please restore the student first.',
  },
  'enrolment.cancelled': {
    status: 409,
    sentence:
      'The foundation cancelled this entry. Please call us if that was a mistake, or enter the student again.',
  },
  'enrolment.not_deleted': { status: 409, sentence: 'This student is not deleted.' },
  'enrolment.import_no_headings': {
    status: 400,
    sentence: 'The first row must name the columns: Class, Section, Roll No, Student Name, Subjects.',
  },
  'enrolment.import_no_rows': { status: 400, sentence: 'This file has no students below its headings.' },
  'enrolment.import_used': { status: 409, sentence: 'This file was already imported.' },
  'enrolment.import_empty': {
    status: 409,
    sentence: 'There is no row without errors to import in this file.',
  },
  'enrolment.import_running': {
    status: 409,
    sentence: 'This import is still running. Please stop it first, or wait until it is done.',
  },
  'enrolment.undo_nothing': {
    status: 409,
    sentence: 'None of these students can be undone: they are paid, being verified, edited or closed.',
  },

  ...listErrors,

  // The library's book order
  'books.season_closed': { status: 409, sentence: 'This season is not open for book orders.' },
  'books.closed': { status: 409, sentence: 'Orders for this subject have closed.' },
  'books.ordered_already': {
    status: 409,
    sentence: 'This book is already in the order. Please change its quantity there.',
  },
  'books.amount_changed': {
    status: 409,
    sentence: 'The price has changed. Please check the new amount and save again.',
  },
  'books.too_many': { status: 409, sentence: 'The unpaid part of an order holds at most 5000 copies.' },
  'books.sent': {
    status: 409,
    sentence: 'A payment for these books is being verified. You can make changes after that.',
  },
  'books.paid': { status: 409, sentence: 'These books are paid and can no longer be changed.' },

  // Families
  'families.wrong_code': { status: 200, sentence: 'Failed' },
  'families.no_slips': { status: 409, sentence: 'None of these students has a slip to print.' },
  'families.too_many_slips': {
    status: 409,
    sentence: 'One file holds at most 600 slips. Please choose a class.',
  },
  'families.no_link': { status: 409, sentence: 'This family has no valid link. Make a new one first.' },
  'families.no_address': { status: 409, sentence: 'There is no e-mail address of a parent.' },
  'families.just_sent': {
    status: 409,
    sentence: 'The link was just sent. Please wait ten minutes before you send it again.',
  },
  'families.name_on_ticket': {
    status: 409,
    sentence: 'The name is already printed on the ticket. To correct it, please ask the school.',
  },
  'families.mobile_elsewhere': {
    status: 409,
    sentence: 'Another family uses this number. Please ask the school to enter it for you.',
  },
  'families.season_closed': {
    status: 409,
    sentence: 'This season is over. The details can no longer be changed.',
  },

  ...resultErrors,

  ...dispatchErrors,

  // Exam dates
  'exam.no_date': { status: 400, sentence: messages.selectExamDate },
  'exam.date_not_offered': { status: 400, sentence: 'This date is not offered for this olympiad.' },
  'exam.online': { status: 409, sentence: 'This olympiad is held online and has no exam date to choose.' },
  'exam.no_dates': { status: 409, sentence: 'The dates of this olympiad are not known yet.' },
  'exam.no_students': { status: 409, sentence: 'No student of your school takes this olympiad.' },
  'exam.unpaid': {
    status: 409,
    sentence: 'You can choose the exam date once all students of this olympiad are paid.',
  },
  'attendance.too_early': {
    status: 409,
    sentence: 'Attendance can be entered from the day of the exam on.',
  },
  'attendance.closed': {
    status: 409,
    sentence: 'The results of this olympiad are released. Attendance can no longer be changed.',
  },
  'exam.too_late': {
    status: 409,
    sentence: 'The deadline to choose this exam date has passed.',
  },

  // Teachers' questions
  'questions.sent_already': {
    status: 409,
    sentence: 'Your school has already sent this question for this class and subject.',
  },
  'questions.season_closed': { status: 409, sentence: 'Questions for this season are closed.' },

  ...trustErrors,

  // Notices of the office
  'notices.over': { status: 409, sentence: 'This notice is over. Write it again to show it again.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

/** The English sentence of a code. */
export function sentenceOf(code: ErrorCode): string {
  return errors[code].sentence
}
