import { carryOverOffer } from '@podium/contract/students/calls-carry-over'
import { Link } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { carryWords } from './words.ts'

/** Above the list of students, while most of last season's are not entered yet: how many, and the way to bring them in. */
export function CarryBanner({ season }: { season: string }) {
  const t = carryWords.use()
  const { data } = useEndpoint(carryOverOffer, { query: { FYear: season } })
  if (!data?.offered) return null
  const { left: n, fromSeason: from } = data
  return (
    <div className="mb-4">
      <Note>
        <div className="st-offer row between gap-4">
          <p>
            <b>{t('offerTitle', { n, from })}</b> {t('offerText', { season })}
          </p>
          <Link to={paths.carryOver} className={buttonClass('secondary')}>
            {t('offerButton')}
          </Link>
        </div>
      </Note>
    </div>
  )
}
