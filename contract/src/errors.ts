import { bankErrors } from './bank/errors.ts'
import { catalogueErrors } from './catalogue/errors.ts'
import { fileErrors } from './errors-files.ts'
import { listErrors } from './errors-lists.ts'
import { trustErrors } from './errors-trust.ts'
import { messages } from './messages.ts'
import { resultErrors } from './results/errors.ts'
import { schoolErrors } from './schools/errors.ts'
import { dispatchErrors } from './shipping/errors.ts'
import { studentErrors } from './students/errors.ts'

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
      'Your sign-in was used at a second place, so it has ended. If that was not you, choose a new password.',
  },
  'session.confirm': {
    status: 403,
    sentence: 'Please confirm with a code or your password that it is you.',
  },
  'access.denied': { status: 403, sentence: 'Access Denied: you are not allowed to do this.' },
  'access.other_school': { status: 403, sentence: 'Access Denied: this belongs to another school.' },
  'access.no_school': { status: 403, sentence: 'Access Denied: your school is not registered yet.' },
  'access.school_inactive': {
    status: 403,
    sentence: 'Access Denied: your school is switched off in this portal. Please call the foundation.',
  },
  'request.cross_site': { status: 403, sentence: 'Access Denied: this request came from another site.' },
  not_found: { status: 404, sentence: 'Not Found: there is nothing here.' },
  changed_meanwhile: {
    status: 409,
    sentence: 'Someone else has changed this meanwhile. The latest state is shown; please try again.',
  },
  'request.repeated_differently': {
    status: 422,
    sentence: 'This request was sent before with other contents.',
  },
  'request.in_progress': { status: 409, sentence: 'This is being saved already. Please wait a moment.' },
  'request.too_large': { status: 413, sentence: 'This is larger than we can take.' },
  'request.too_many': { status: 429, sentence: 'Too many tries. Please wait a little and try again.' },
  internal: { status: 500, sentence: 'Internal Server Error: something went wrong on our side.' },
  'job.asker_gone': {
    status: 403,
    sentence: 'Access Denied: whoever asked for this may not do it any more.',
  },
  busy: { status: 503, sentence: 'The server is busy. Please try again in a moment.' },
  database_away: {
    status: 503,
    sentence: 'The portal can neither read nor save at the moment. Please try again in a minute.',
  },

  // Accounts
  'account.wrong_sign_in': { status: 200, sentence: 'Invalid email or password.' },
  'account.school_inactive': {
    status: 200,
    sentence: 'Your school is switched off in this portal. Please call the foundation.',
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
    sentence: 'Please verify your e-mail first; the proof may have expired.',
  },
  'account.school_not_proved': {
    status: 400,
    sentence: 'Please enter the access code of the school first; the proof may have expired.',
  },
  'account.exists': { status: 409, sentence: 'This e-mail has an account already. Please sign in.' },
  'account.reset_expired': {
    status: 400,
    sentence: 'This link has expired or was used already. Please ask for a new one.',
  },
  'account.has_school': { status: 409, sentence: 'Your account belongs to a school already.' },
  'account.pending': {
    status: 409,
    sentence: 'We have received the details of your school already and are checking them.',
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
    sentence:
      'The payment details for these students have been sent already. The foundation is verifying them.',
  },
  'payments.pending_first': {
    status: 409,
    sentence:
      'The foundation is still verifying what you sent before. These students can be paid for once it is done.',
  },
  'payments.order_changed': {
    status: 409,
    sentence: 'The library order has changed since this page was opened. Please check it and send it again.',
  },
  'payments.order_sent': {
    status: 409,
    sentence:
      'The payment details for this library order have been sent already. The foundation is verifying them.',
  },
  'payments.order_pending_first': {
    status: 409,
    sentence:
      'The foundation is still verifying what you sent before. The rest of the library order can be paid for once it is done.',
  },
  'payments.decided': { status: 409, sentence: 'This payment has been decided meanwhile.' },
  'payments.own': {
    status: 403,
    sentence: 'This payment was sent from your own e-mail address. Somebody else has to verify it.',
  },
  'payments.doubtful': {
    status: 409,
    sentence:
      'There is something to look at twice in this payment. Please open it and decide upon it by itself.',
  },
  'payments.no_account': {
    status: 409,
    sentence: 'The bank details are not set up yet. Please call the foundation.',
  },

  ...bankErrors,

  ...fileErrors,

  ...catalogueErrors,

  // The office
  'office.wrong_sign_in': { status: 200, sentence: 'Invalid email or password.' },
  'office.wrong_code': { status: 200, sentence: 'This code is not right. Please try the next one.' },
  'office.step_over': { status: 200, sentence: 'This took too long. Please sign in again.' },
  'office.set_up_over': { status: 200, sentence: 'This set-up link has been used or has run out.' },
  'application.decided': {
    status: 409,
    sentence: 'Somebody else has decided on this application meanwhile.',
  },
  'application.code_taken': { status: 409, sentence: 'Another school has this code already.' },

  ...schoolErrors,
  ...studentErrors,

  // Enrolment
  'enrolment.duplicate': {
    status: 409,
    sentence: 'Another student of this class and section has this roll no already.',
  },
  'enrolment.amounts_changed': {
    status: 409,
    sentence: 'The amounts have changed meanwhile. Please look at the new ones and save again.',
  },
  'enrolment.closed': { status: 409, sentence: 'Enrolment for a subject of this student has closed.' },
  'enrolment.season_closed': { status: 409, sentence: 'This season is not open for enrolment.' },
  'enrolment.signed_off': {
    status: 409,
    sentence:
      'The list of a subject of this student is signed off. The coordinator can open it again on the page Sign-off.',
  },
  'enrolment.paid': { status: 409, sentence: 'This student is paid for and can no longer be changed.' },
  'enrolment.locked': {
    status: 409,
    sentence: 'A payment for this student is being verified, or its books are paid: nothing can be changed.',
  },
  'enrolment.deleted': { status: 409, sentence: 'This student is deleted. Please restore the entry first.' },
  'enrolment.cancelled': {
    status: 409,
    sentence:
      'The foundation has cancelled this entry. Please call us if that was a mistake, or enter the student anew.',
  },
  'enrolment.not_deleted': { status: 409, sentence: 'This student is not deleted.' },
  'enrolment.import_no_headings': {
    status: 400,
    sentence: 'The first row must name the columns: Class, Section, Roll No, Student Name, Subjects.',
  },
  'enrolment.import_no_rows': { status: 400, sentence: 'No student stands below the headings of this file.' },
  'enrolment.import_used': { status: 409, sentence: 'This file has been imported already.' },
  'enrolment.import_empty': { status: 409, sentence: 'There is no good row to import in this file.' },
  'enrolment.import_running': {
    status: 409,
    sentence: 'This import is still running. Please stop it first, or wait until it has ended.',
  },
  'enrolment.undo_nothing': {
    status: 409,
    sentence:
      'None of these students can be taken back: they are paid for, being verified, changed or closed.',
  },

  ...listErrors,

  // The library's book order
  'books.season_closed': { status: 409, sentence: 'This season is not open for book orders.' },
  'books.closed': { status: 409, sentence: 'Orders for this subject have closed.' },
  'books.ordered_already': {
    status: 409,
    sentence: 'This book is in the order already. Please change its quantity there.',
  },
  'books.amount_changed': {
    status: 409,
    sentence: 'The price has changed meanwhile. Please look at the new amount and save again.',
  },
  'books.too_many': { status: 409, sentence: 'The unpaid part of an order holds at most 5000 copies.' },
  'books.sent': {
    status: 409,
    sentence: 'A payment for these books is being verified. Until then nothing can be changed.',
  },
  'books.paid': { status: 409, sentence: 'These books are paid for and can no longer be changed.' },

  // Families
  'families.wrong_code': { status: 200, sentence: 'Failed' },
  'families.no_slips': { status: 409, sentence: 'None of these students has a family to print a slip for.' },
  'families.too_many_slips': {
    status: 409,
    sentence: 'One file holds at most 600 slips. Please choose a class.',
  },
  'families.no_link': { status: 409, sentence: 'This family has no link in force. Make a new one first.' },
  'families.no_address': { status: 409, sentence: 'No e-mail address of the parents is on record.' },
  'families.just_sent': {
    status: 409,
    sentence: 'The link was sent a moment ago. Please wait ten minutes before you send it again.',
  },
  'families.name_on_ticket': {
    status: 409,
    sentence:
      'The name stands on the enrolment ticket and can no longer be changed here. Please ask the school.',
  },
  'families.mobile_elsewhere': {
    status: 409,
    sentence: 'The school knows this number from another family. Please ask the school to enter it for you.',
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
  'exam.online': { status: 409, sentence: 'This olympiad is taken online and has no exam date to choose.' },
  'exam.no_dates': { status: 409, sentence: 'The dates of this olympiad are not known yet.' },
  'exam.no_students': { status: 409, sentence: 'No student of your school takes this olympiad.' },
  'exam.unpaid': {
    status: 409,
    sentence: 'The exam date can be chosen once all students of this olympiad are paid for.',
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
    sentence: 'The last day to choose the exam date of this olympiad has passed.',
  },

  // Teachers' questions
  'questions.sent_already': {
    status: 409,
    sentence: 'Your school has sent this question for this class and subject already.',
  },
  'questions.season_closed': { status: 409, sentence: 'This season takes no more questions.' },

  ...trustErrors,

  // Notices of the office
  'notices.over': { status: 409, sentence: 'This notice is over. Write it anew to show it again.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

/** The English sentence of a code. */
export function sentenceOf(code: ErrorCode): string {
  return errors[code].sentence
}
