import { refusals } from '../refusals.ts'

/** Refusals of dispatch, of online schedules and of the review of questions; part of the catalogue in errors.ts. */
export const dispatchErrors = {
  ...refusals(400, {
    'dispatch.no_heads': 'The first row must name the columns: Status, and Consignment No or Packet Id.',
    'schedules.no_heads': 'The first row must name the columns: Exam Roll No, Date, From, To.',
  }),
  ...refusals(409, {
    'dispatch.nothing_due': 'Nothing is due to this school.',
    'dispatch.more_than_due':
      'Less is due now than you want to pack. The latest figures are shown; please try again.',
    'dispatch.corrected':
      'The results were corrected after this parcel was packed. Unpack it and pack again what is due now.',
    'dispatch.no_certificates': 'No certificate in this parcel is still valid.',
    'dispatch.wrong_state': 'The status of this parcel has changed. The latest one is shown.',
    'dispatch.number_taken': 'Another parcel of this courier already has this consignment number.',
    'dispatch.courier_off': 'This courier is deactivated. Please choose another one.',
    'dispatch.courier_known': 'A courier of this name is already in the list.',
    'dispatch.too_many': 'At most 500 parcels at a time. Please narrow the filters, or select fewer.',
    'dispatch.no_packets': 'No parcels match.',
    'dispatch.no_list': 'None of these parcels has a packing list.',
    'dispatch.not_sent': 'This parcel has not been handed to a courier yet.',
    'dispatch.confirmed': 'Your school has already confirmed this parcel.',
    'dispatch.counts_missing':
      'The list of this parcel has changed. The latest list is shown; please count again.',
    'papers.none': 'No student of these schools has an exam roll no for this olympiad.',
    'papers.too_many': 'One file holds at most 100,000 students. Please choose a class or a state.',
    'schedules.season_over': 'This season is over: its exam times can no longer be changed.',
    'schedules.not_online': 'This olympiad is not held online.',
    'schedules.slot_known': 'There is already a slot at this time.',
    'schedules.slot_begun': 'This slot has started, or would start in the past, so it cannot be moved.',
    'schedules.too_few_places': 'More students have this slot than it would have places for.',
    'schedules.slot_used': 'Students have this slot. Please give them another one first.',
    'schedules.no_room': 'There is not enough room in these slots for all of them.',
    'schedules.nobody': 'No student of these schools needs a slot.',
    'questions.reviewed': 'Someone else has already decided on this question.',
  }),
}
