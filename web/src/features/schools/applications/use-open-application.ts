import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallError } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useKey } from '#shell/use-shortcuts.ts'
import { toast } from '#ui/toast.tsx'
import type { Queue } from './use-queue.ts'
import { words } from './words.ts'

/** Refusals after which the application is not what the page shows. */
const outdated = ['application.decided', 'changed_meanwhile', 'not_found']

/** The application that is open: which known school stands beside it, and what comes after a decision. */
export function useOpenApplication({ selected, opened, open, neighbour, renew }: Queue) {
  const t = words.use()
  const title = useRef<HTMLHeadingElement>(null)
  const [goesTo, setGoesTo] = useState<number>()
  const [picked, setPicked] = useState<{ id: number; schId: number }>()
  const [notice, setNotice] = useState<{ id: number; text: string }>()

  const next = useCallback(() => {
    const id = neighbour(1)
    if (id !== undefined) open(id)
  }, [neighbour, open])
  const before = useCallback(() => {
    const id = neighbour(-1)
    if (id !== undefined) open(id)
  }, [neighbour, open])
  useKey('j', next)
  useKey('k', before)

  // After a decision, and after a choice in the list of a phone, the cursor goes to the title as soon as it is there.
  const ready = opened?.application.id
  useEffect(() => {
    if (goesTo === undefined || goesTo !== ready) return
    setGoesTo(undefined)
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: window.innerWidth <= 900 ? 'start' : 'nearest' })
  }, [goesTo, ready])

  const done = (said: string) => {
    toast.success(said)
    const following = neighbour(1) ?? neighbour(-1)
    open(following ?? 0)
    setGoesTo(following)
    void renew()
  }
  const refused = (cause: CallError): boolean => {
    if (!outdated.includes(cause.code) || selected === undefined) return false
    setNotice({ id: selected, text: t('reloaded', { sentence: translateSentence(cause.message) }) })
    void renew()
    return true
  }
  const likely = opened?.likely ?? []
  const chosen = picked?.id === selected ? picked?.schId : undefined
  return {
    title,
    compared: likely.find(({ schId }) => schId === chosen) ?? likely[0],
    compare: (schId: number) => {
      if (selected === undefined) return
      setPicked({ id: selected, schId })
      if (window.innerWidth <= 1100) title.current?.scrollIntoView({ block: 'nearest' })
    },
    notice: notice?.id === selected ? notice?.text : undefined,
    picked: (id: number) => {
      if (window.innerWidth <= 900) setGoesTo(id)
    },
    done,
    refused,
  }
}

export type Open = ReturnType<typeof useOpenApplication>
