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

/** The id behind the QR code, whatever the case of its name in the address. */
export function linkOf(search: string): string {
  for (const [name, value] of new URLSearchParams(search)) if (name.toLowerCase() === 'id') return value
  return ''
}

export type Step =
  | { at: 'loading' }
  | { at: 'problem'; error: CallError }
  | { at: 'code'; name: string; ended: boolean }
  | { at: 'details'; family: Family }
  | { at: 'closed' }

export const draftOf = (student: Pick<FamilyStudent, 'individualRegId'>) =>
  `family.${student.individualRegId}`

export const asProblem = (thrown: unknown) =>
  thrown instanceof CallError ? thrown : new CallError(String(thrown), 0, 'network')

/** Tells the server for some seconds that this page, loaded anew, need not begin with the question for the code. */
function noteOpen(seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not there without https
  document.cookie = `family=open;path=/student;samesite=lax;max-age=${seconds}`
}

/** The family's page from its link to its end: what is shown, and the ways from one step to the next. */
export function useFamily(groupId: string, ahead: () => Promise<unknown>) {
  const [step, setStep] = useState<Step>({ at: 'loading' })
  const was = useRef(step)
  was.current = step
  const asked = useRef(0)

  const load = useCallback(async () => {
    const turn = ++asked.current
    const show = (next: Step) => {
      // The code may have been right before the first answer is there.
      if (turn === asked.current) setStep(next)
    }
    try {
      const [family] = await Promise.all([
        call(getFamilyStudents, { query: { GroupId: groupId } }),
        token() === '' ? undefined : ahead().catch(() => undefined),
      ])
      const ended = was.current.at === 'details' || (was.current.at === 'code' && was.current.ended)
      const name = family.data[0]?.studentName ?? ''
      show(family.verified ? { at: 'details', family } : { at: 'code', name, ended })
    } catch (thrown) {
      const error = asProblem(thrown)
      // Without a connection what is being typed stays; the code itself says that it did not arrive.
      const typing = token() === '' && was.current.at !== 'problem' && error.code === 'network'
      show(typing ? { at: 'code', name: '', ended: false } : { at: 'problem', error })
    }
  }, [groupId, ahead])

  useEffect(() => {
    void load()
    // A page that the browser kept in memory must not show what has run out meanwhile.
    const shown = (event: PageTransitionEvent) => {
      if (event.persisted) void load()
    }
    window.addEventListener('pageshow', shown)
    return () => window.removeEventListener('pageshow', shown)
  }, [load])

  const left = step.at === 'details' ? step.family.expiresIn : undefined
  useEffect(() => {
    if (left === undefined) return
    const timer = setTimeout(() => void load(), (left + 1) * 1000)
    return () => clearTimeout(timer)
  }, [left, load])

  const verify = async (code: string): Promise<string> => {
    const given = await call(verifyFamilyCode, { body: { groupId, code } })
    startSession(given.token, { userId: 0, userName: '' })
    noteOpen(given.expiresIn)
    await load()
    return given.message
  }
  /** Ends the session here whatever the network says: the phone may be somebody else's. */
  const close = async () => {
    await call(closeFamilyPage).catch(() => undefined)
    endSession()
    noteOpen(0)
    setStep({ at: 'closed' })
  }
  return { step, load, verify, close }
}

/** Whether something typed for a child waits to be saved. */
export const hasDraft = (student: FamilyStudent) => readDraft(draftOf(student)) !== undefined
