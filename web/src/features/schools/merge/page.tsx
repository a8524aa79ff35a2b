import './merge.css'
import { Link } from '@tanstack/react-router'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useMerge } from './data.ts'
import { FindOther } from './find-other.tsx'
import { Pair } from './pair.tsx'
import { words } from './words.ts'

/** Two entries of one school made one: the other is found, the two compared, what would happen is shown, then it is done. */
export function SchoolMergePage() {
  const t = words.use()
  const merge = useMerge()
  const { id, other, candidates, preview, data, mayMerge } = merge
  const school = data?.stays ?? candidates.data?.school
  return (
    <>
      <PageHeader title={t('title')} fact={school && t('of', { name: school.schName, code: school.schCode })}>
        <Link to={officePaths.school} params={{ id: String(id) }} className="merge-back">
          {t('back')}
        </Link>
      </PageHeader>
      {!mayMerge && (
        <div className="merge-note">
          <Note kind="due">{t('mayNot')}</Note>
        </div>
      )}
      {other === 0 ? (
        <FindOther merge={merge} />
      ) : preview.isError && !data ? (
        <LoadProblem error={preview.error} retry={preview.refetch} />
      ) : data ? (
        <Pair key={`${id}-${other}`} preview={data} />
      ) : (
        mayMerge && <Skeleton shape="form" />
      )}
    </>
  )
}
