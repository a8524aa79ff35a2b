import type { ResultSet } from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { Note } from '#ui/note.tsx'
import { nextStep } from './office-event.ts'
import { type OfficeStep, officeFilters } from './office-filters.ts'
import { Rich } from './rich.tsx'
import { officeWords } from './words-office.ts'

/** What was read of a file, and where it goes on from here. */
export function ReadResult({ set, shown }: { set: ResultSet; shown: OfficeStep }) {
  const t = officeWords.use()
  const next = nextStep(set)
  return (
    <Note kind={set.openBlocking > 0 ? 'due' : 'ok'}>
      <Rich
        text={t(set.openAnomalies > 0 ? 'read' : 'readClean', {
          file: set.fileName || t('byHand'),
          n: set.rows,
          version: set.version,
          open: set.openBlocking,
          all: set.openAnomalies,
        })}
      />{' '}
      {next !== 'release' && next !== shown && (
        <Link to="." search={officeFilters.validate({ step: next })}>
          {t('continue', { step: t(next) })}
        </Link>
      )}
    </Note>
  )
}
