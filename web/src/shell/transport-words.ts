/** What stands behind the beginning that the specification gives to failures of the way (section 8), for people. */
export const transportDetails = {
  offline: 'the server could not be reached. Please check your connection and try again.',
  fault: 'something went wrong on our side. Please try again.',
  away: 'the server does not answer just now. Please try again in a minute.',
} as const
