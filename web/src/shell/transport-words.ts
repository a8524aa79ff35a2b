/** What stands behind the beginning that the specification gives to failures of the way (section 8), for people. */
export const transportDetails = {
  offline: 'no connection.',
  fault: 'something went wrong.',
} as const
