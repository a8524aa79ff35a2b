import type { AnswerOf } from '@podium/contract/endpoint'
import { getStudentDetails } from '@podium/contract/students/calls'
import { carryOverOffer, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { importStatus } from '@podium/contract/students/calls-import'
import type { ImportState } from '@podium/contract/students/calls-import-preview'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { defineWords } from '#shell/language/words.ts'
import { readOwnDraft, writeOwnDraft } from '#shell/own-draft.ts'
import { endpointQuery } from '#shell/query.ts'
import { onSessionChange } from '#shell/session.ts'
import type en from '#words/en/students-import-progress.json'

/** The words of the import of students. */
export const importWords = defineWords<typeof en>(import.meta.glob('#words/*/students-import-progress.json'))

export type ImportProgress = AnswerOf<typeof importStatus>

const key = 'import'
const asksEvery = 1_000
const listeners = new Set<() => void>()

/** The import that was started in this tab, kept like a draft: it is found again after leaving the page or a reload. */
function started(): string {
  const kept = readOwnDraft(key)
  return typeof kept === 'string' ? kept : ''
}

export function rememberImport(importId: string | undefined): void {
  writeOwnDraft(key, importId, 'tab')
  for (const tell of listeners) tell()
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  const forget = onSessionChange(tell)
  return () => {
    listeners.delete(tell)
    forget()
  }
}

/** Its id, or an empty text. */
export function useStartedImport(): string {
  return useSyncExternalStore(subscribe, started)
}

/** What an import is called: its file, or the season its students come from. */
export function useImportName() {
  const t = importWords.use()
  return ({ source, fileName }: Pick<ImportProgress, 'source' | 'fileName'>) => {
    if (source === 'grid') return t('fromGrid')
    return source === 'carry-over' ? t('fromSeason', { season: fileName }) : fileName
  }
}

export const isMoving = (state: ImportState | undefined) => state === 'waiting' || state === 'running'

/** Imports whose end has renewed the lists: a short one has ended before anybody has seen it run. */
const ended = new Set<string>()

/** How far an import is, asked every second while it moves; the lists are renewed when it has ended. */
export function useImportProgress(importId: string): {
  progress: ImportProgress | undefined
  error: Error | null
} {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...endpointQuery(importStatus, { query: { importId } }),
    enabled: importId !== '',
    refetchInterval: (query) => (query.state.error || !isMoving(query.state.data?.state) ? false : asksEvery),
  })
  const progress = data?.importId === importId ? data : undefined
  const state = progress?.state
  useEffect(() => {
    if (state === undefined || state === 'checked') return
    if (isMoving(state)) ended.delete(importId)
    else if (!ended.has(importId)) {
      ended.add(importId)
      for (const { path } of [getStudentDetails, carryOverOffer, previewCarryOver])
        void client.invalidateQueries({ queryKey: [path] })
    }
  }, [importId, state, client])
  return { progress, error }
}
