import '../office.css'
import { mailingPlan } from '@podium/contract/schools/calls-mailings'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { mailingFilters } from '../letters/filters.ts'
import { MailingForm } from './form.tsx'
import { MailingsSent } from './sent.tsx'
import { words } from './words.ts'

/** An e-mail to the schools that the address names: written, looked at, sent; and those that were sent before. */
export function MailingsPage() {
  const t = words.use()
  const { values, countSet } = useFilters(mailingFilters)
  const { page: _, ids, ...found } = values
  const [readers, setReaders] = useState<'coordinators' | 'everyone'>('coordinators')
  const asked = { FYear: useSeason(), ...found, ids, readers }
  const permissions = useSession()?.permissions
  const may = permissions?.includes('mailings.send') ?? false
  const plan = useEndpoint(mailingPlan, { query: asked, enabled: may })
  const { data } = plan
  const { list, search, state, step, within, balance, ...registered } = found
  const set = countSet(
    'list',
    'search',
    'state',
    'district',
    'standing',
    'due',
    'staff',
    'contacts',
    'followUp',
  )
  const key = ids !== '' ? 'factChosen' : set > 0 ? 'factFiltered' : 'factAll'
  const n = data ? data.schools + data.off + data.unreachable : undefined
  return (
    <>
      <PageHeader title={t('title')} fact={n !== undefined && t(key, { n })}>
        {list === 'ledger' ? (
          <Link to={officePaths.ledger} search={{ search, state, standing: balance }}>
            {t('backLedger')}
          </Link>
        ) : list === 'reminders' ? (
          <Link to={officePaths.reminders} search={{ search, state, step, within }}>
            {t('backReminders')}
          </Link>
        ) : (
          <Link to={officePaths.schools} search={ids === '' ? { ...registered, search, state } : {}}>
            {t('backRegister')}
          </Link>
        )}
      </PageHeader>
      <div className="stack">
        {!may && <Note kind="due">{t('mayNot')}</Note>}
        {may && plan.isError && !data && <LoadProblem error={plan.error} retry={plan.refetch} />}
        {may && data && <MailingForm asked={asked} plan={data} onReaders={setReaders} />}
        {may && !data && !plan.isError && <Skeleton shape="form" />}
        {permissions?.includes('mails.read') && <MailingsSent />}
      </div>
    </>
  )
}
