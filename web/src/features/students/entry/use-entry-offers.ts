import { offerOf } from '@podium/contract/catalogue/rules-fee'
import { formatDay } from '@podium/contract/season'
import { entryOffers } from '@podium/contract/students/calls-grid'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { useMemo } from 'react'
import { useEndpoint } from '#shell/query.ts'

/** Loads the price list of all classes for the check of rows. Once loaded, it also serves while offline. */
export function useEntryOffers(season: string) {
  const { data, error, refetch } = useEndpoint(entryOffers, { query: { FYear: season } })
  const catalogue = useMemo((): RowCatalogue | undefined => {
    if (!data) return undefined
    const offers = new Map(
      data.classes.map((schoolClass) => [
        schoolClass.classId,
        offerOf(schoolClass.subjects, schoolClass.books),
      ]),
    )
    const closed = new Map(
      data.classes.flatMap(({ subjects }) =>
        subjects
          .filter((subject) => subject.closed)
          .map((subject) => [subject.eventLetter, formatDay(subject.closesOn)]),
      ),
    )
    const signed = new Set(
      data.classes.flatMap(({ subjects }) =>
        subjects.filter(({ signedOff }) => signedOff).map(({ eventLetter }) => eventLetter),
      ),
    )
    return {
      offerTo: (classId) => offers.get(classId) ?? [],
      closed: (letter) => closed.get(letter),
      signedOff: (letter) => signed.has(letter),
    }
  }, [data])
  return { catalogue, open: data?.open, error, retry: refetch }
}
