/** Refusals of dispatch, of online schedules and of the review of questions; part of the catalogue in errors.ts. */
export const dispatchErrors = {
  'dispatch.nothing_due': { status: 409, sentence: 'Nothing is due to this school.' },
  'dispatch.more_than_due': {
    status: 409,
    sentence: 'Less is due now than you want to pack. The latest figures are shown; please try again.',
  },
  'dispatch.corrected': {
    status: 409,
    sentence:
      'The results were corrected after this parcel was packed. Unpack it and pack again what is due now.',
  },
  'dispatch.no_certificates': {
    status: 409,
    sentence: 'No certificate in this parcel is still valid.',
  },
  'dispatch.wrong_state': {
    status: 409,
    sentence: 'The status of this parcel has changed. The latest one is shown.',
  },
  'dispatch.number_taken': {
    status: 409,
    sentence: 'Another parcel of this courier already has this consignment number.',
  },
  'dispatch.courier_off': {
    status: 409,
    sentence: 'This courier is deactivated. Please choose another one.',
  },
  'dispatch.courier_known': { status: 409, sentence: 'A courier of this name is already in the list.' },
  'dispatch.too_many': {
    status: 409,
    sentence: 'At most 500 parcels at a time. Please narrow the filters, or select fewer.',
  },
  'dispatch.no_packets': { status: 409, sentence: 'No parcels match.' },
  'dispatch.no_list': { status: 409, sentence: 'None of these parcels has a packing list.' },
  'dispatch.no_heads': {
    status: 400,
    sentence: 'The first row must name the columns: Status, and Consignment No or Packet Id.',
  },
  'dispatch.not_sent': { status: 409, sentence: 'This parcel has not been handed to a courier yet.' },
  'dispatch.confirmed': { status: 409, sentence: 'Your school has already confirmed this parcel.' },
  'dispatch.counts_missing': {
    status: 409,
    sentence: 'The list of this parcel has changed. The latest list is shown; please count again.',
  },
  'papers.none': {
    status: 409,
    sentence: 'No student of these schools has an exam roll no for this olympiad.',
  },
  'papers.too_many': {
    status: 409,
    sentence: 'One file holds at most 100,000 students. Please choose a class or a state.',
  },
  'schedules.season_over': {
    status: 409,
    sentence: 'This season is over: its exam times can no longer be changed.',
  },
  'schedules.not_online': { status: 409, sentence: 'This olympiad is not held online.' },
  'schedules.slot_known': { status: 409, sentence: 'There is already a slot at this time.' },
  'schedules.slot_begun': {
    status: 409,
    sentence: 'This slot has started, or would start in the past, so it cannot be moved.',
  },
  'schedules.too_few_places': {
    status: 409,
    sentence: 'More students have this slot than it would have places for.',
  },
  'schedules.slot_used': {
    status: 409,
    sentence: 'Students have this slot. Please give them another one first.',
  },
  'schedules.no_room': { status: 409, sentence: 'There is not enough room in these slots for all of them.' },
  'schedules.nobody': { status: 409, sentence: 'No student of these schools needs a slot.' },
  'schedules.no_heads': {
    status: 400,
    sentence: 'The first row must name the columns: Exam Roll No, Date, From, To.',
  },
  'questions.reviewed': { status: 409, sentence: 'Someone else has already decided on this question.' },
} as const
