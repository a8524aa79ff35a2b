import './letters.css'
import { letterPlan } from '@podium/contract/schools/calls-letters'
import { Link } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { letterFilters } from './filters.ts'
import { LetterForm } from './form.tsx'
import { LetterRuns } from './runs.tsx'
import { words } from './words.ts'

/** Letters of invitation for the schools that the address names: what it means for their codes, the print, the files. */
export function LettersPage() {
  const t = words.use()
  const { values, countSet } = useFilters(letterFilters)
  const { ids, file, ...found } = values
  const asked = { FYear: useSeason(), ...values }
  const may = useSession()?.permissions?.includes('schools.codes') ?? false
  const plan = useEndpoint(letterPlan, { query: asked, enabled: may })
  const set = countSet('search', 'state', 'district', 'standing', 'due', 'staff', 'contacts')
  const n = plan.data ? plan.data.schools + plan.data.off : undefined
  const key = ids !== '' ? 'factChosen' : file !== '' ? 'factFile' : set > 0 ? 'factFiltered' : 'factAll'
  return (
    <>
      <PageHeader title={t('title')} fact={n !== undefined && t(key, { n, file: plan.data?.fileName ?? '' })}>
        {file !== '' ? (
          <Link to={officePaths.schoolImport} search={{ file }} className="letters-back">
            {t('backImport')}
          </Link>
        ) : (
          <Link to={officePaths.schools} search={ids === '' ? found : {}} className="letters-back">
            {t('backRegister')}
          </Link>
        )}
      </PageHeader>
      {!may ? (
        <Note kind="due">{t('mayNot')}</Note>
      ) : (
        <div className="stack">
          {plan.isError && !plan.data ? (
            <LoadProblem error={plan.error} retry={plan.refetch} />
          ) : plan.data ? (
            <LetterForm asked={asked} plan={plan.data} />
          ) : (
            <Skeleton shape="form" />
          )}
          <LetterRuns />
        </div>
      )}
    </>
  )
}
