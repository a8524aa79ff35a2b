import { signInOptions } from '@podium/contract/accounts/calls'
import { carryOverOffer } from '@podium/contract/students/calls-carry-over'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { countGridRows } from '#shell/own-draft.ts'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { carryWords } from '../carry-over/words.ts'
import {
  importWords,
  isImportRunning,
  rememberImport,
  useImportName,
  useImportProgress,
  useStartedImport,
} from '../import/progress-state.ts'
import { words } from './words.ts'

/** An import that is running or has just ended, shown above the list: its progress, and a link to it. */
export function ImportBanner() {
  const t = importWords.use()
  const nameOf = useImportName()
  const importId = useStartedImport()
  const { progress } = useImportProgress(importId)
  if (importId === '' || !progress || progress.state === 'checked') return null
  const { done, total, state, imported, refused, undone, undoable, source, rest } = progress
  const name = nameOf(progress)
  const show =
    source !== 'file' ? (
      <Link to={source === 'grid' ? paths.gridEntry : paths.carryOver} className="lk">
        {t('show')}
      </Link>
    ) : (
      <Link to={paths.importDesk} search={{ import: importId }} className="lk">
        {t('show')}
      </Link>
    )
  if (isImportRunning(state)) {
    return (
      <div className="mb-4">
        <ProgressBar label={t('progressLabel')} total={total} done={done} aside={show}>
          {t('bannerRunning', { name, done, total })}
        </ProgressBar>
      </div>
    )
  }
  if (undone) return null
  const hasFailed = state === 'failed' || refused.length > 0
  const more = hasFailed || undoable > 0 || rest !== ''
  return (
    <Note className="mb-4" kind={hasFailed ? 'bad' : 'ok'}>
      <b>{t('bannerDone', { name })}</b>{' '}
      {state === 'failed' ? t('failed') : t(state === 'cancelled' ? 'cancelled' : 'entered', { n: imported })}{' '}
      {refused.length > 0 && `${t('refusedTitle', { n: refused.length })} · `}
      {rest !== '' && `${t('restWaits')} `}
      {more && show}{' '}
      <button type="button" className="lk" onClick={() => rememberImport(undefined)}>
        {t('dismiss')}
      </button>
    </Note>
  )
}

/** Says how many rows wait in the grid: a student is entered only once the row is. */
export function GridRowsBanner({ season }: { season: string }) {
  const t = importWords.use()
  const [n] = useState(() => countGridRows(season))
  if (n === 0) return null
  return (
    <Note className="mb-4" kind="due">
      {t('gridRows', { n })}{' '}
      <Link to={paths.gridEntry} className="lk">
        {t('openGrid')}
      </Link>
    </Note>
  )
}

/** Shown while most of last season's students are not entered yet: how many, and a link to carry them over. */
export function CarryBanner({ season }: { season: string }) {
  const t = carryWords.use()
  const { data } = useEndpoint(carryOverOffer, { query: { FYear: season } })
  if (!data?.offered) return null
  const { left: n, fromSeason: from } = data
  return (
    <Note className="mb-4">
      <div className="st-offer row between gap-4">
        <p>
          <b>{t('offerTitle', { n, from })}</b> {t('offerText', { season })}
        </p>
        <Link to={paths.carryOver} className={buttonClass('secondary')}>
          {t('offerButton')}
        </Link>
      </div>
    </Note>
  )
}

/** What to do about a student who is paid: its row offers nothing (specification, 2.9). */
export function PaidHint() {
  const t = words.use()
  const phone = useEndpoint(signInOptions).data?.supportPhone
  return <p className="quiet mt-4">{phone ? t('paidCall', { phone }) : t('whyPaid')}</p>
}
