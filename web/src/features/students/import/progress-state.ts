import type { AnswerOf } from '@podium/contract/endpoint'
import { getStudentDetails } from '@podium/contract/students/calls'
import { carryOverOffer, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { importStatus } from '@podium/contract/students/calls-import'
import type { ImportState } from '@podium/contract/students/calls-import-preview'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { defineWords } from '#shell/language/words.ts'
import { readOwnDraft, saveOwnDraft } from '#shell/own-draft.ts'
import { endpointQuery } from '#shell/query.ts'
import { onSessionChange } from '#shell/session.ts'
import type en from '#words/en/students-import-progress.json'

/** The words of the progress of an import. */
export const importWords = defineWords<typeof en>(import.meta.glob('#words/*/students-import-progress.json'))

export type ImportProgress = AnswerOf<typeof importStatus>

const key = 'import'
const pollInterval = 1_000
const listeners = new Set<() => void>()

/**
 * Returns the import started in this tab. It is stored like a draft, so that it survives leaving the page or a
 * reload.
 */
function readStartedImport(): string {
  const draft = readOwnDraft(key)
  return typeof draft === 'string' ? draft : ''
}

export function rememberImport(importId: string | undefined): void {
  saveOwnDraft(key, importId, 'tab')
  for (const notify of listeners) notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  const forget = onSessionChange(listener)
  return () => {
    listeners.delete(listener)
    forget()
  }
}

/** Returns its id, or an empty string. */
export function useStartedImport(): string {
  return useSyncExternalStore(subscribe, readStartedImport)
}

/** Names an import: by its file, or by the season its students come from. */
export function useImportName() {
  const t = importWords.use()
  return ({ source, fileName }: Pick<ImportProgress, 'source' | 'fileName'>) => {
    if (source === 'grid') return t('fromGrid')
    return source === 'carry-over' ? t('fromSeason', { season: fileName }) : fileName
  }
}

export const isImportRunning = (state: ImportState | undefined) => state === 'waiting' || state === 'running'

/** Imports for which the lists were already refetched: a short import ends before anyone sees it run. */
const refetchedImports = new Set<string>()

/** Polls the progress of an import every second while it runs, and refetches the lists when it has ended. */
export function useImportProgress(importId: string): {
  progress: ImportProgress | undefined
  error: Error | null
} {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...endpointQuery(importStatus, { query: { importId } }),
    enabled: importId !== '',
    refetchInterval: (query) => isImportRunning(query.state.data?.state) && pollInterval,
  })
  const progress = data?.importId === importId ? data : undefined
  const state = progress?.state
  useEffect(() => {
    if (state === undefined || state === 'checked') return
    if (isImportRunning(state)) refetchedImports.delete(importId)
    else if (!refetchedImports.has(importId)) {
      refetchedImports.add(importId)
      for (const { path } of [getStudentDetails, carryOverOffer, previewCarryOver])
        void client.invalidateQueries({ queryKey: [path] })
    }
  }, [importId, state, client])
  return { progress, error }
}
