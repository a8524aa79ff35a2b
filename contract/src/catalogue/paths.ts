/** Address of the Hindi names, without schemas: families load it on a phone. Names change about once a season. */
export const hindiNamesPath = { method: 'GET', path: '/api/catalogue/hindiNames', cacheSeconds: 300 } as const
