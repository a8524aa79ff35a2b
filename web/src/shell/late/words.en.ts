/** What schools are told of late fees wherever fees arise. */
export const en = {
  ahead:
    'From {day} on a late fee of {fee} is added for each student and subject: {names}. Who is entered by {last} stays without it.',
  now: 'Since {day} a late fee of {fee} is added for each student and subject that is entered: {names}.',
  all: 'all subjects',
}
