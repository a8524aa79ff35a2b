import {
  closeFamilyPage,
  type FamilyStudent,
  getFamilyStudents,
  verifyFamilyCode,
} from '@podium/contract/families/calls'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { endSession, readDraft, startSession, token } from '#shell/session.ts'

export type Family = Answer<typeof getFamilyStudents>

/** Returns the id from the QR code's URL; the parameter's name may be in any case. */
export function linkOf(search: string): string {
  for (const [name, value] of new URLSearchParams(search)) if (name.toLowerCase() === 'id') return value
  return ''
}

export type Step =
  | { kind: 'loading' }
  | { kind: 'problem'; error: CallError }
  | { kind: 'code'; name: string; ended: boolean }
  | { kind: 'details'; family: Family }
  | { kind: 'closed' }

export const draftOf = (student: Pick<FamilyStudent, 'individualRegId'>) =>
  `family.${student.individualRegId}`

export const asProblem = (thrown: unknown) =>
  thrown instanceof CallError ? thrown : new CallError(String(thrown), 0, 'network')

/** Tells the server for a few seconds that this page, when reloaded, need not start with the access code. */
function noteOpen(seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there without https
  document.cookie = `family=open;path=/student;samesite=lax;max-age=${seconds}`
}

/** The family's page from link to end: the current step, and the functions that lead to the next. */
export function useFamily(groupId: string, ahead: () => Promise<unknown>) {
  const [step, setStep] = useState<Step>({ kind: 'loading' })
  const lastStep = useRef(step)
  lastStep.current = step
  const requestCount = useRef(0)

  const load = useCallback(async () => {
    const request = ++requestCount.current
    const show = (next: Step) => {
      // The right code may have been sent before the first answer arrives.
      if (request === requestCount.current) setStep(next)
    }
    try {
      const [family] = await Promise.all([
        call(getFamilyStudents, { query: { GroupId: groupId } }),
        token() === '' ? undefined : ahead().catch(() => undefined),
      ])
      const ended =
        lastStep.current.kind === 'details' || (lastStep.current.kind === 'code' && lastStep.current.ended)
      const name = family.data[0]?.studentName ?? ''
      show(family.verified ? { kind: 'details', family } : { kind: 'code', name, ended })
    } catch (thrown) {
      const error = asProblem(thrown)
      // Offline, what is being typed stays; sending the code then reports the failure.
      const typing = token() === '' && lastStep.current.kind !== 'problem' && error.code === 'network'
      show(typing ? { kind: 'code', name: '', ended: false } : { kind: 'problem', error })
    }
  }, [groupId, ahead])

  useEffect(() => {
    void load()
    // A page restored from the browser's memory must not show what has expired meanwhile.
    const shown = (event: PageTransitionEvent) => {
      if (event.persisted) void load()
    }
    window.addEventListener('pageshow', shown)
    return () => window.removeEventListener('pageshow', shown)
  }, [load])

  const secondsLeft = step.kind === 'details' ? step.family.expiresIn : undefined
  useEffect(() => {
    if (secondsLeft === undefined) return
    const timer = setTimeout(() => void load(), (secondsLeft + 1) * 1000)
    return () => clearTimeout(timer)
  }, [secondsLeft, load])

  const verify = async (code: string): Promise<string> => {
    const answer = await call(verifyFamilyCode, { body: { groupId, code } })
    startSession(answer.token, { userId: 0, userName: '' })
    noteOpen(answer.expiresIn)
    await load()
    return answer.message
  }
  /** Ends the session here even if the request fails: the phone may be another person's. */
  const close = async () => {
    await call(closeFamilyPage).catch(() => undefined)
    endSession()
    noteOpen(0)
    // An answer still on its way must not open the page again.
    requestCount.current++
    setStep({ kind: 'closed' })
  }
  return { step, load, verify, close }
}

/** Whether the child has unsaved changes. */
export const hasDraft = (student: FamilyStudent) => readDraft(draftOf(student)) !== undefined
