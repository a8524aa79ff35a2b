/** User-readable details after the specification's beginnings of transport failures (section 8). */
export const transportDetails = { offline: 'no connection.', fault: 'something went wrong.' } as const
