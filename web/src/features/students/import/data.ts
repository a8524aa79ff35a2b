import type { BodyOf } from '@podium/contract/endpoint'
import { importStatus } from '@podium/contract/students/calls-import'
import {
  type ImportPreview,
  previewImport,
  recheckImport,
} from '@podium/contract/students/calls-import-preview'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { canRepeat } from '#shell/call-once.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery, useEndpoint, useInvalidate } from '#shell/query.ts'
import { useRefusalText } from '#shell/use-action.ts'
import type en from '#words/en/students-import.json'

/** The words of the import page. */
export const reviewWords = defineWords<typeof en>(import.meta.glob('#words/*/students-import.json'))

/** The readings of subjects that are worth a note: not a Hindi name that a reader of Hindi sees as written. */
export const notableReadings = <Reading extends { written: string; name: string }>(
  readings: readonly Reading[],
  translate: (name: string) => string,
) => readings.filter(({ written, name }) => translate(name) !== written)

/** What another tab or user may have changed */
const shown = [previewImport, importStatus]

/** The user's settings for a file: columns, corrected cells, decisions. */
type Settings = Omit<BodyOf<typeof recheckImport>, 'importId' | 'revision'>

export interface ImportReview {
  preview: ImportPreview | undefined
  error: Error | null
  reload: () => unknown
  checking: boolean
  problem: string | undefined
  /** Sends the settings of a check that was not answered, or came after another user's; undefined if there are none. */
  retry: (() => void) | undefined
  /** Number of the last check that has ended; one that can be sent again has not */
  ended: number
  /** Saves settings and checks again, during a check with the next one. Returns the number of the check they are sent with. */
  apply: (settings: Settings) => number
}

const mergeSettings = (before: Settings, next: Settings): Required<Settings> => ({
  columns: [...(before.columns ?? []), ...(next.columns ?? [])],
  cells: [...(before.cells ?? []), ...(next.cells ?? [])],
  notTaken: [...(before.notTaken ?? []), ...(next.notTaken ?? [])],
  choices: [...(before.choices ?? []), ...(next.choices ?? [])],
})

const withoutEmptyLists = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, list]) => list && list.length > 0))

/** Shows a choice at once, until the check that it is sent with returns the actual value. */
export function usePending<T>(value: T, { ended, apply }: ImportReview) {
  const [pending, setPending] = useState<{ chosen: T; check: number }>()
  const shown = pending && pending.check > ended ? pending.chosen : value
  const choose = (chosen: T, settings: Settings) => setPending({ chosen, check: apply(settings) })
  return [shown, choose] as const
}

/**
 * A stored file with everything found in it. Settings are sent to the server at once, so that nothing typed is lost.
 */
export function useImportReview(importId: string): ImportReview {
  const client = useQueryClient()
  const reload = useInvalidate(shown)
  const textOf = useRefusalText()
  const request = { query: { importId } }
  const { data, error } = useEndpoint(previewImport, { ...request, enabled: importId !== '' })
  const preview = data?.importId === importId ? data : undefined
  const [checking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isUnsaved, setUnsaved] = useState(false)
  const pendingSettings = useRef<Settings>(undefined)
  // Unlike the state, it is true to the moment: a field left just after a check ended must start the next one.
  const running = useRef(false)
  const begun = useRef(0)
  const [ended, setEnded] = useState(0)
  const { queryKey } = endpointQuery(previewImport, request)

  const run = async () => {
    running.current = true
    setChecking(true)
    setProblem(undefined)
    let unsaved: Settings | undefined
    while (pendingSettings.current && !unsaved) {
      const settings = pendingSettings.current
      begun.current += 1
      pendingSettings.current = undefined
      const cachedPreview = client.getQueryData(queryKey)
      try {
        const checkedPreview = await call(recheckImport, {
          body: { importId, revision: cachedPreview?.revision ?? 0, ...withoutEmptyLists(settings) },
        })
        client.setQueryData(queryKey, checkedPreview)
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        setProblem(textOf(cause))
        await reload()
        if (canRepeat(cause) || cause.code === 'changed_meanwhile') unsaved = settings
      }
      // After the preview, which is told in the same way: until then the page would show what was before the choice.
      const check = begun.current
      if (!unsaved) notifyManager.schedule(() => setEnded(check))
    }
    if (unsaved) pendingSettings.current = mergeSettings(unsaved, pendingSettings.current ?? {})
    running.current = false
    setUnsaved(unsaved !== undefined)
    setChecking(false)
  }
  const retry = isUnsaved && !checking ? () => void run() : undefined
  const apply = (settings: Settings) => {
    pendingSettings.current = mergeSettings(pendingSettings.current ?? {}, settings)
    const check = begun.current + 1
    if (!running.current) void run()
    return check
  }
  return { preview, error, reload, checking, problem, retry, ended, apply }
}
