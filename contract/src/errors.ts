import { bankErrors } from './bank/errors.ts'
import { catalogueErrors } from './catalogue/errors.ts'
import { fileErrors } from './errors-files.ts'
import { trustErrors } from './errors-trust.ts'
import { messages } from './messages.ts'
import { refusals } from './refusals.ts'
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
  ...refusals(200, {
    'account.wrong_sign_in': 'Invalid e-mail or password.',
    'account.school_inactive': 'Your school is deactivated in this portal. Please call the foundation.',
    'account.wrong_status_code': 'Invalid Status Code',
    'account.bad_link': 'Oops! The link is invalid. Try scanning the QR code you downloaded and tap the link',
    'account.wrong_otp': 'Invalid Otp',
    'office.wrong_sign_in': 'Invalid e-mail or password.',
    'office.wrong_code': 'This code is not correct. Please try the next one.',
    'office.step_over': 'This took too long. Please sign in again.',
    'office.set_up_over': 'This set-up link has been used or has expired.',
    'families.wrong_code': 'Failed',
  }),
  ...refusals(400, {
    'input.invalid': 'Please check the marked fields.',
    'request.malformed': 'The request could not be read.',
    'account.email_not_proved': 'Please verify your e-mail first. The verification may have expired.',
    'account.school_not_proved': "Please enter the school's access code first. It may have expired.",
    'account.reset_expired': 'This link has expired or was already used. Please get a new one.',
    'enrolment.import_no_headings':
      'The first row must name the columns: Class, Section, Roll No, Student Name, Subjects.',
    'enrolment.import_no_rows': 'This file has no students below its headings.',
    'exam.no_date': messages.selectExamDate,
    'exam.date_not_offered': 'This date is not offered for this olympiad.',
  }),
  ...refusals(401, {
    'session.missing': 'Please sign in.',
    'session.ended': 'Your session has ended. Please sign in again.',
    'session.reused':
      'Your sign-in was used somewhere else, so we ended it. If that was not you, change your password.',
    'account.no_social_ticket': 'This sign-in has expired. Please choose the provider again.',
  }),
  ...refusals(403, {
    'session.confirm': 'Please confirm with a code or your password.',
    'access.denied': 'Access Denied: you are not allowed to do this.',
    'access.other_school': 'Access Denied: this belongs to another school.',
    'access.no_school': 'Access Denied: your school is not registered yet.',
    'access.school_inactive':
      'Access Denied: your school is deactivated in this portal. Please call the foundation.',
    'request.cross_site': 'Access Denied: this request came from another site.',
    'job.asker_gone': 'Access Denied: whoever requested this is no longer allowed to.',
    'payments.own': 'This payment was sent from your own e-mail address. Someone else has to verify it.',
    'signoff.not_coordinator': 'Access Denied: only your coordinator can sign off and reopen lists.',
  }),
  ...refusals(404, { not_found: 'Not Found: there is nothing here.' }),
  ...refusals(409, {
    changed_meanwhile:
      'Someone else changed this while you were editing. The latest state is shown; please try again.',
    'request.in_progress': 'This is already being saved. Please wait a moment.',
    'account.exists': 'This e-mail already has an account. Please sign in.',
    'account.has_school': 'Your account already belongs to a school.',
    'account.pending': "We have already received your school's details and are checking them.",
    'payments.amount_changed':
      'The amount has changed since this page was opened. Please check the new amount and send it again.',
    'payments.students_changed':
      'Some of these students have changed since this page was opened. Please check the list and send it again.',
    'payments.already_sent': 'Payment details for these students were already sent and are being verified.',
    'payments.pending_first':
      'Your last payment is still being verified. You can pay for these students after that.',
    'payments.order_changed':
      'The library order has changed since this page was opened. Please check it and send it again.',
    'payments.order_sent': 'Payment details for this library order were already sent and are being verified.',
    'payments.order_pending_first':
      'Your last payment is still being verified. You can pay for the rest of the library order after that.',
    'payments.decided': 'This payment has already been decided.',
    'payments.doubtful': 'This payment needs a closer look. Please open it and decide on it separately.',
    'payments.not_exact': 'No open bank line shows exactly this payment now. Please open it and take a look.',
    'payments.line_covers_more':
      'Its bank line also pays for other payments. Select them together, or match the line itself.',
    'payments.no_account': 'Bank details are not available yet. Please call the foundation.',
    'application.decided': 'Someone else has already decided on this application.',
    'application.code_taken': 'Another school has this code already.',
    'enrolment.duplicate': 'Another student of this class and section already has this roll no.',
    'enrolment.amounts_changed': 'The amounts have changed. Please check the new ones and save again.',
    'enrolment.closed': "Entries have closed for one of this student's subjects.",
    'enrolment.season_closed': 'This season is not open for enrolment.',
    'enrolment.signed_off':
      "The list of one of this student's subjects is signed off. The coordinator can reopen it under Sign-off.",
    'enrolment.paid': 'This student is paid and can no longer be changed.',
    'enrolment.locked':
      'A payment for this student is being verified, or books are paid. Nothing can be changed.',
    'enrolment.deleted': 'This student is deleted. Please restore the student first.',
    'enrolment.cancelled':
      'The foundation cancelled this entry. Please call us if that was a mistake, or enter the student again.',
    'enrolment.not_deleted': 'This student is not deleted.',
    'enrolment.import_used': 'This file was already imported.',
    'enrolment.import_empty': 'There is no row without errors to import in this file.',
    'enrolment.import_running':
      'This import is still running. Please stop it first, or wait until it is done.',
    'enrolment.undo_nothing':
      'None of these students can be undone: they are paid, being verified, edited or closed.',
    'paper.nobody': 'There are no active students to print.',
    'paper.no_offer': 'Nothing is offered to this class this season.',
    'paper.too_many': 'One file holds at most 3000 students. Please choose a class.',
    'signoff.signed': 'This list has already been signed off.',
    'signoff.not_signed': 'This list is open.',
    'signoff.no_students': 'There are no students in this list.',
    'signoff.count_differs': 'The number of students has changed. Check the list and sign it off again.',
    'signoff.name_differs': 'Type your name as your account shows it.',
    'books.season_closed': 'This season is not open for book orders.',
    'books.closed': 'Orders for this subject have closed.',
    'books.ordered_already': 'This book is already in the order. Please change its quantity there.',
    'books.amount_changed': 'The price has changed. Please check the new amount and save again.',
    'books.too_many': 'The unpaid part of an order holds at most 5000 copies.',
    'books.sent': 'A payment for these books is being verified. You can make changes after that.',
    'books.paid': 'These books are paid and can no longer be changed.',
    'families.no_slips': 'None of these students has a slip to print.',
    'families.too_many_slips': 'One file holds at most 600 slips. Please choose a class.',
    'families.no_link': 'This family has no valid link. Make a new one first.',
    'families.no_address': 'There is no e-mail address of a parent.',
    'families.just_sent': 'The link was just sent. Please wait ten minutes before you send it again.',
    'families.name_on_ticket':
      'The name is already printed on the ticket. To correct it, please ask the school.',
    'families.mobile_elsewhere':
      'Another family uses this number. Please ask the school to enter it for you.',
    'families.season_closed': 'This season is over. The details can no longer be changed.',
    'exam.online': 'This olympiad is held online and has no exam date to choose.',
    'exam.no_dates': 'The dates of this olympiad are not known yet.',
    'exam.no_students': 'No student of your school takes this olympiad.',
    'exam.unpaid': 'You can choose the exam date once all students of this olympiad are paid.',
    'attendance.too_early': 'Attendance can be entered from the day of the exam on.',
    'attendance.closed': 'The results of this olympiad are released. Attendance can no longer be changed.',
    'exam.too_late': 'The deadline to choose this exam date has passed.',
    'questions.sent_already': 'Your school has already sent this question for this class and subject.',
    'questions.season_closed': 'Questions for this season are closed.',
    'notices.over': 'This notice is over. Write it again to show it again.',
  }),
  ...refusals(413, { 'request.too_large': 'This is larger than we can take.' }),
  ...refusals(422, {
    'request.repeated_differently': 'This request was sent before with different content.',
  }),
  ...refusals(429, { 'request.too_many': 'Too many tries. Please wait a little and try again.' }),
  ...refusals(500, { internal: 'Internal Server Error: something went wrong on our side.' }),
  ...refusals(503, {
    busy: 'The server is busy. Please try again in a moment.',
    database_away: 'The portal cannot read or save right now. Please try again in a minute.',
  }),
  ...bankErrors,
  ...fileErrors,
  ...catalogueErrors,
  ...schoolErrors,
  ...studentErrors,
  ...resultErrors,
  ...dispatchErrors,
  ...trustErrors,
} satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

/** The English sentence of a code. */
export function sentenceOf(code: ErrorCode): string {
  return errors[code].sentence
}
