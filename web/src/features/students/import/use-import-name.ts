import type { ImportProgress } from './progress-state.ts'
import { importWords } from './words-progress.ts'

/** What an import is called: its file, or the season its students come from. */
export function useImportName() {
  const t = importWords.use()
  return ({ source, fileName }: Pick<ImportProgress, 'source' | 'fileName'>) => {
    if (source === 'grid') return t('fromGrid')
    return source === 'carry-over' ? t('fromSeason', { season: fileName }) : fileName
  }
}
