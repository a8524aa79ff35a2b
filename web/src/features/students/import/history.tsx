import type { AnswerOf } from '@podium/contract/endpoint'
import type { importHistory } from '@podium/contract/students/calls-import-preview'
import { Link } from '@tanstack/react-router'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { isMoving } from './progress-state.ts'
import { deskWords } from './words.ts'

type One = AnswerOf<typeof importHistory>['imports'][number]

interface DeskHistoryProps {
  imports: One[] | undefined
  error: Error | null
  retry: () => unknown
}

/** The imports of a season, newest first: who, when, which file, what came of it, and the way to each. */
export function DeskHistory({ imports, error, retry }: DeskHistoryProps) {
  const t = deskWords.use()
  const say = useSentences()
  const nameOf = ({ source, fileName }: One) => {
    if (source === 'grid') return t('typed')
    return source === 'carry-over' ? t('fromSeason', { season: fileName }) : fileName
  }
  const columns: Column<One>[] = [
    {
      key: 'file',
      label: t('file'),
      title: true,
      cell: (one) => <span className="im-cell">{nameOf(one)}</span>,
    },
    { key: 'when', label: t('when'), cell: (one) => <Moment value={one.at} /> },
    { key: 'who', label: t('who'), cell: (one) => one.by },
    { key: 'rows', label: t('rows'), num: true, cell: (one) => count(one.rowCount) },
    { key: 'entered', label: t('entered'), num: true, cell: (one) => count(one.imported) },
    { key: 'changed', label: t('changedCount'), num: true, cell: (one) => count(one.changed) },
    { key: 'state', label: t('state'), cell: (one) => <ImportStateBadge one={one} /> },
    {
      key: 'open',
      label: t('actions'),
      act: true,
      cell: (one) => {
        const what = one.state === 'checked' ? t('goOn') : t('show')
        return (
          <Link
            to={paths.importDesk}
            search={{ import: one.importId }}
            className="lk"
            aria-label={t('open', { what, file: nameOf(one) })}
          >
            {what}
          </Link>
        )
      },
    },
  ]
  return (
    <section>
      <h2 className="dk-h">{t('historyTitle')}</h2>
      <DataTable
        caption={t('historyTitle')}
        columns={columns}
        rows={imports}
        rowKey={(one) => one.importId}
        cardColumns={2}
        empty={<p className="dk-none">{t('historyEmpty')}</p>}
        {...(error ? { error: { message: say(error.message), retry } } : {})}
      />
    </section>
  )
}

function ImportStateBadge({ one }: { one: One }) {
  const t = deskWords.use()
  const { state, undone } = one
  if (isMoving(state)) return <Badge kind="waiting">{t('stateMoving')}</Badge>
  if (undone) return <Badge kind="deleted">{t('stateUndone')}</Badge>
  if (state === 'done') return <Badge kind="yes">{t('stateDone')}</Badge>
  if (state === 'failed') return <Badge kind="rejected">{t('stateFailed')}</Badge>
  if (state === 'cancelled') return <Badge kind="doubt">{t('stateCancelled')}</Badge>
  return <Badge kind="none">{t('stateChecked')}</Badge>
}
