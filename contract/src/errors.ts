import { messages } from './messages.ts'
import { fileErrors, refusals } from './refusals.ts'
import { resultErrors } from './results/errors.ts'

/** Errors of bank statements, credits, refunds, closed days and the foundation's accounts. */
const bankErrors = {
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
    'bank.not_returned': 'The bank has not returned this money, or someone has already decided on it.',
    'bank.return_moved':
      'A student of this payment was cancelled or moved to another school since. Settle that by hand and keep the payment.',
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

/** Errors of calls about users, permissions and privacy. */
const trustErrors = {
  ...refusals(200, {
    'colleagues.invitation_over':
      'This invitation has been used, withdrawn or has expired. Please ask the school for a new one.',
    'colleagues.known': 'This address now has an account. Please open the link in the e-mail again.',
    'colleagues.elsewhere':
      'This address already belongs to another school. An account can belong to one school only.',
    'colleagues.disabled': 'The account of this address is deactivated. Please call the foundation.',
    'staff.invite_over': 'This invitation has been used or has expired. Please ask for a new one.',
  }),
  ...refusals(400, {
    'logo.not_picture': 'Please choose a PNG, JPEG or WebP picture.',
    'logo.too_small': 'This picture is too small to print: it must be at least 64 pixels high and wide.',
    'logo.too_long':
      'This picture is too long: at most eight times as wide as high, or twice as high as wide.',
    'logo.unseen':
      'This picture would be invisible on white paper. Please choose one with dark or coloured parts.',
  }),
  ...refusals(403, {
    'access.acting':
      'Access Denied: only the school itself can do this, not the office signed in as the school.',
    'access.not_coordinator': 'Access Denied: only the coordinator of your school can do this.',
    'notes.not_own': 'Access Denied: only the person who wrote a note can change it.',
    'mails.address_search': 'Access Denied: only owners and operations can find e-mails by address.',
  }),
  ...refusals(409, {
    'changes.too_many': 'These are more than 20,000 changes. Please narrow the days or filters first.',
    'application.not_asked': 'The question has already been answered. The latest state is shown.',
    'assignments.cannot_decide': 'This person cannot decide on it. Please choose someone who can.',
    'colleagues.coordinator_first':
      'This is the coordinator. Make someone else at the school the coordinator first.',
    'colleagues.coordinates_already': 'This person is already the coordinator.',
    'colleagues.offer_over': 'This offer has been withdrawn or has expired.',
    'acting.nobody': 'No one at this school can sign in, so there is no account to act with.',
    'staff.last_owner': 'This is the only owner. Make someone else an owner first.',
    'staff.switched_off': 'This user is deactivated. Activate them first.',
    'reminders.too_soon': 'These schools were reminded in the last three days, or have no e-mail address.',
    'notes.no_follow_up': 'This note has no follow-up date.',
    'mails.not_failed': 'This e-mail has not failed, or is already being sent again.',
    'mailings.none': 'None of these schools can be written to.',
    'mailings.many': 'These are more than 20,000 schools. Please narrow the filters.',
    'mailings.changed': 'The number of schools has changed meanwhile. Please check it and send again.',
    'mails.expired': 'The code or link in this e-mail has expired. Please send a new one from its own page.',
    'privacy.open_already': 'This was already requested and is in progress.',
    'privacy.not_checked': 'Please check first that a parent is asking.',
    'privacy.second_person': 'You checked this request, so someone else must erase the data.',
    'privacy.money_under_way':
      'A payment for this student is being verified. The data can be erased after that.',
    'privacy.decided': 'This request has already been decided.',
    'privacy.notice_changed': 'This notice has changed since you opened the page. Please read the new one.',
    'privacy.file_over': 'The file was available for 30 days. Please request it again.',
    'incident.closed': 'This incident is closed. Reopen it first.',
    'incident.open': 'This incident is already open.',
    'incident.nobody_found': 'No one new is found.',
    'incident.too_many': 'These are more than 50,000 people. Please add them in several parts.',
    'incident.mail_missing': 'Please write the e-mail to those affected first, in both languages.',
    'incident.nobody_to_tell': 'There is no one left to e-mail.',
    'incident.sent': 'The e-mail was sent and can no longer be changed.',
    'incident.people_waiting': 'Some of those affected have not been informed yet.',
    'jobs.ended': 'This job has already ended.',
    'jobs.too_many': 'You have 10 unfinished background jobs. Please wait until one is done.',
  }),
  ...refusals(413, { 'logo.too_large': 'This picture is larger than 1 MB. Please choose a smaller one.' }),
}

/**
 * All errors a call can answer: code → HTTP status and the sentence shown to the user.
 * Expected outcomes of the specified calls (wrong password, wrong code) are 200 with `result: "error"`, as specified;
 * their sentences are quoted from the specification, spelling mistakes included.
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
    'dispatch.no_heads': 'The first row must name the columns: Status, and Consignment No or Packet Id.',
    'schedules.no_heads': 'The first row must name the columns: Exam Roll No, Date, From, To.',
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
    'views.share': 'Your role only reads, so it can’t share a view. Save it for yourself.',
    'access.other_school': 'Access Denied: this belongs to another school.',
    'access.no_school': 'Access Denied: your school is not registered yet.',
    'access.school_inactive':
      'Access Denied: your school is deactivated in this portal. Please call the foundation.',
    'request.cross_site': 'Access Denied: this request came from another site.',
    'job.asker_gone': 'Access Denied: whoever requested this is no longer allowed to.',
    'payments.own': 'This payment was sent from your e-mail address, so someone else must verify it.',
    'signoff.not_coordinator': 'Access Denied: only your coordinator can sign off and reopen lists.',
    'students.mobile_search': 'Access Denied: only owners and operations can find students by mobile number.',
    'waivers.by_office': 'The foundation requested this waiver, so the school cannot withdraw it.',
    'waivers.own': 'You requested this waiver, so someone else must decide on it.',
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
    'payments.not_as_it_was':
      'What this payment covers has changed or been sent again. Please ask the school to send its details again.',
    'payments.doubtful': 'This payment needs a closer look. Please open it and decide on it separately.',
    'payments.not_exact': 'No open bank line shows exactly this payment now. Please open it and take a look.',
    'payments.line_covers_more':
      'Its bank line also pays for other payments. Select them together, or match the line itself.',
    'payments.no_account': 'Bank details are not available yet. Please call the foundation.',
    'application.decided': 'Someone else has already decided on this application.',
    'application.question_open':
      'The foundation has a question about these details. Please answer it; you can correct the details there.',
    'application.not_waiting': 'These details are no longer being checked. The latest state is shown.',
    'application.code_taken': 'Another school has this code already.',
    'enrolment.duplicate': 'Another student of this class and section already has this roll no.',
    'enrolment.amounts_changed': 'The amounts have changed. Please check the new ones and save again.',
    'enrolment.closed': "Entries have closed for one of this student's subjects.",
    'enrolment.season_closed': 'This season is not open for enrolment.',
    'enrolment.signed_off':
      "The list of one of this student's subjects is signed off. The coordinator can reopen it under Sign-off.",
    'enrolment.signed_off_there':
      'The other school has signed off the list of one of these subjects. Its coordinator can reopen it under Sign-off.',
    'enrolment.paid': 'This student is paid and can no longer be changed.',
    'enrolment.locked':
      'A payment for this student is being verified, or books are paid or sent. Nothing can be changed.',
    'enrolment.deleted': 'This student is deleted. Please restore the student first.',
    'enrolment.cancelled':
      'The foundation cancelled this entry. Please call us if that was a mistake, or enter the student again.',
    'enrolment.not_deleted': 'This student is not deleted.',
    'enrolment.not_offered':
      'A subject of this student is no longer offered to the class. Please enter the student again.',
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
    'books.held':
      'These books were sent to your school before the bank returned their money. Please pay for them, or call the foundation.',
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
    'attendance.scheduled':
      'The results of this olympiad are about to be released. Please call the foundation if the attendance is wrong.',
    'attendance.closed': 'The results of this olympiad are released. Attendance can no longer be changed.',
    'exam.too_late': 'The deadline to choose this exam date has passed.',
    'questions.decided': 'The foundation has already decided on this question.',
    'questions.sent_already': 'Your school has already sent this question for this class and subject.',
    'questions.season_closed': 'Questions for this season are closed.',
    'notices.over': 'This notice is over. Write it again to show it again.',
    'catalogue.season_exists': 'This season already exists. It is shown below.',
    'catalogue.season_state': 'The season is not in the right state for that. The latest state is shown.',
    'catalogue.not_next': 'A season is opened from the one before it.',
    'catalogue.plan_changed': 'The last season has changed. Please check the differences again.',
    'catalogue.season_incomplete':
      'The season cannot be opened for schools yet: an event has no dates or no prices.',
    'catalogue.season_used': 'This season is in use and cannot be deleted.',
    'catalogue.marks_imported':
      'Marks of this event have been imported: its sections and maximum marks stay as they are.',
    'catalogue.entry_used': 'This is still in use. Move what uses it first.',
    'catalogue.entry_fixed': 'The zone of schools abroad stays as it is.',
    'catalogue.no_results': 'There are no results of an earlier season to try the rules on.',
    'schools.inactive': 'This school is deactivated. Activate it first.',
    'schools.active': 'This school is already active.',
    'schools.merged': 'This school was merged into another one. Open that one instead.',
    'schools.merge_same': 'This is the same school. Choose another one.',
    'schools.merge_blocked': 'These two schools cannot be merged yet. The reasons are listed.',
    'schools.import_busy': 'This file is being imported, or was already imported.',
    'schools.import_nothing': 'There is no new school in this file to import.',
    'schools.import_not_alike':
      'Some of these rows are no longer possible duplicates. Please load the page again.',
    'schools.likely': 'Some known schools look like this one. Please compare before you create it.',
    'schools.link_gone': 'Someone else has changed the link of this school. The latest state is shown.',
    'schools.code_unreadable': 'This access code is too old to be printed. Make a new one.',
    'schools.letters_none': 'None of these schools gets a letter.',
    'schools.letters_many': 'These are more schools than one print job takes. Filter by state or district.',
    'schools.letters_changed': 'The number of schools has changed. Please check the figures again.',
    'schools.account_disabled': 'This account is disabled. Enable it first.',
    'schools.contact_confirmed': 'This contact has already been confirmed.',
    'dispatch.nothing_due': 'Nothing is due to this school.',
    'dispatch.more_than_due':
      'Less is due now than you want to pack. The latest figures are shown; please try again.',
    'dispatch.corrected':
      'The results were corrected after this parcel was packed. Unpack it and pack again what is due now.',
    'dispatch.withheld':
      'Results of this school are withheld, so its awards stay here. They can go once the results are released.',
    'dispatch.unpaid':
      'The school has paid for fewer books than its parcels hold. Unpack this one and pack again what is due now.',
    'dispatch.address_changed':
      "The school's address has changed since this parcel was packed. Print the label again: it then has the new one.",
    'dispatch.no_certificates': 'No certificate in this parcel is still valid.',
    'dispatch.moved_on':
      'One of these parcels has been dispatched or unpacked since, so they stay packed. Unpack the others one by one.',
    'dispatch.wrong_state': 'The status of this parcel has changed. The latest one is shown.',
    'dispatch.number_taken': 'Another parcel of this courier already has this consignment number.',
    'dispatch.courier_off': 'This courier is deactivated. Please choose another one.',
    'dispatch.courier_known': 'A courier of this name is already in the list.',
    'dispatch.too_many': 'At most 500 parcels at a time. Please narrow the filters, or select fewer.',
    'dispatch.no_packets': 'No parcels match.',
    'dispatch.no_columns': 'This courier has no upload file yet. Add its columns first.',
    'dispatch.no_list': 'None of these parcels has a packing list.',
    'dispatch.not_sent': 'This parcel has not been handed to a courier yet.',
    'dispatch.confirmed': 'Your school has already confirmed this parcel.',
    'dispatch.counts_missing':
      'The list of this parcel has changed. The latest list is shown; please count again.',
    'receipts.none': 'No receipts match.',
    'receipts.too_many': 'One ZIP holds at most 10,000 receipts. Please choose a period.',
    'papers.none': 'No student of these schools has an exam roll no for this olympiad.',
    'papers.too_many': 'One file holds at most 100,000 students. Please choose a class or a state.',
    'schedules.season_over': 'This season is over: its exam times can no longer be changed.',
    'schedules.not_online': 'This olympiad is not held online.',
    'schedules.slot_known': 'There is already a slot at this time.',
    'schedules.slot_begun': 'This slot has started, or would start in the past, so it cannot be moved.',
    'schedules.too_few_places': 'More students have this slot than it would have places for.',
    'schedules.slot_used': 'Students have this slot. Please give them another one first.',
    'schedules.no_room': 'There is not enough room in these slots for all of them.',
    'schedules.clash':
      'Some of these students have another online exam at that time. Please choose another time.',
    'schedules.nobody': 'No student of these schools needs a slot.',
    'questions.reviewed': 'Someone else has already decided on this question.',
    'students.too_many': 'One file holds at most 5,000 students. Please narrow the filters.',
    'students.has_results':
      'Results were computed for this school, class and section. Before their release, import the marks again first.',
    'waivers.asked': 'A waiver for this student was already requested.',
    'waivers.paid': 'The registration fee of this student is already paid.',
    'waivers.being_verified': 'A payment for this student is being verified. Please wait until that is done.',
    'waivers.nothing_due': 'No registration fee is due for this student.',
    'waivers.amount_changed':
      'The fee of this student has changed since you opened the list. Please check the new amount.',
    'waivers.decided': 'This waiver has already been decided or withdrawn.',
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
  ...resultErrors,
  ...trustErrors,
} satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

/** Returns the English sentence of an error code. */
export function sentenceOf(code: ErrorCode): string {
  return errors[code].sentence
}
