import { parseSeason } from '@podium/contract/season'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import type { JobHandlers } from '#platform/jobs/jobs'
import { figuresJob, keepFigures } from './commands-figures.ts'

/** Long work of the overview: counting a season. */
export function overviewJobs({ reads }: Pick<Deps, 'reads'>): JobHandlers {
  return {
    [figuresJob]: async (job, { db, clock, progress }) => {
      const season = parseSeason(job.season ?? '')
      if (!season) throw new Refusal('not_found')
      await progress(0, 1)
      await keepFigures(db, clock(), season, reads)
      return {}
    },
  }
}
