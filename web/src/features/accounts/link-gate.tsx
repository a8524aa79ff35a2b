import {
  accessCode,
  getUserDetailsByUid,
  type LinkedSchool,
  verifyAccessCode,
} from '@podium/contract/accounts/calls-registration'
import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { type ReactNode, useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, CallError, call } from '#shell/call.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { readDraft, writeDraft } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateFormFrame, useGateForm } from './gate-form.tsx'
import { linkTo } from './location.ts'
import { words } from './words.ts'

/** Loads the school of the link in the URL; sends no request without one. */
export function useLinkedSchool(id: string | undefined) {
  const linkQuery = useAnswer(getUserDetailsByUid, { GUID: id ?? '' }, id !== undefined)
  return { school: id === undefined ? undefined : linkQuery.data?.data[0], linkQuery }
}

const proofMs = 25 * 60_000

/**
 * Remembers in this tab that the access code of a link was accepted. The proof itself is a cookie that no script can
 * read.
 */
function rememberProof(id: string, now = Date.now()): void {
  writeDraft('link', { id, at: now })
}

export function forgetProof(): void {
  writeDraft('link', undefined)
}

/** Whether the access code of this link was accepted recently, before a reload or a visit to a provider's page. */
function isProved(id: string, now = Date.now()): boolean {
  const proof = readDraft('link')
  if (typeof proof !== 'object' || proof === null || !('id' in proof) || !('at' in proof)) return false
  return proof.id === id && typeof proof.at === 'number' && now - proof.at < proofMs
}

const schema = z.strictObject({ code: accessCode })
const codeLetters = 8

/** Rejects an incomplete code before it is sent, as it would use up a try. */
export function refuseIncompleteCode(typed: string, whole: number, path: string, message: string): void {
  if (typed.replace(/[\s-]/g, '').length >= whole) return
  throw new CallError(message, 0, 'short', [{ path, message }])
}

/** Asks for the access code printed in the letter to the school. */
function AccessCodeStep({ id, steps, onDone }: { id: string; steps: number; onDone: () => void }) {
  const t = words.use()
  const [triesLeft, setTriesLeft] = useState<number>()
  const f = useGateForm({
    schema,
    initialValues: { code: '' },
    focus: 'code',
    save: async ({ code }) => {
      refuseIncompleteCode(code, codeLetters, 'code', t('codeShort'))
      try {
        const { message } = await call(verifyAccessCode, { body: { id, code } })
        toast.success(translateSentence(message))
        onDone()
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code !== 'account.wrong_status_code') throw cause
        setTriesLeft(cause.triesLeft)
        throw new CallError(cause.message, 200, cause.code, [{ path: 'code', message: cause.message }])
      }
    },
  })
  const hint = triesLeft === 0 ? t('noTriesLeft') : triesLeft && t('triesLeft', { n: triesLeft })
  return (
    <>
      <p className="dots">{t('stepOf', { n: 1, total: steps })}</p>
      <h1>{t('codeTitle')}</h1>
      <p className="lede">{t('codeIntro')}</p>
      <GateFormFrame of={f}>
        <TextField
          label={t('accessCode')}
          className="code-field"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          hint={hint}
          {...f.field('code')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('next')}
        </Button>
      </GateFormFrame>
    </>
  )
}

interface LinkGateProps {
  id: string | undefined
  linked: ReturnType<typeof useLinkedSchool>
  /** Number of steps, including the access code */
  steps: number
  /** The same page without the link, for an invalid link */
  to: string
  children: (linked: { school: LinkedSchool | undefined; proved: boolean; reopen: () => void }) => ReactNode
}

/** Renders its children once the access code of the link is accepted, or at once without a link. */
export function LinkGate({ id, linked, steps, to, children }: LinkGateProps) {
  const t = words.use()
  const translate = useSentences()
  const [proved, setProved] = useState(id !== undefined && isProved(id))
  if (id === undefined) return children({ school: undefined, proved: false, reopen: () => undefined })
  const { school, linkQuery } = linked
  if (linkQuery.error?.code === 'account.bad_link') {
    return (
      <>
        <h1>{t('codeTitle')}</h1>
        <Note className="gate-note apart" kind="bad">
          {translate(linkQuery.error.message)}
        </Note>
        <a {...linkTo(to)} className={buttonClass('secondary', 'wide big')}>
          {t('withoutLink')}
        </a>
      </>
    )
  }
  if (linkQuery.error)
    return <ErrorState retry={linkQuery.again}>{translate(linkQuery.error.message)}</ErrorState>
  if (!school) return <Skeleton shape="form" rows={1} />
  if (proved) return children({ school, proved, reopen: () => setProved(false) })
  const done = () => {
    rememberProof(id)
    setProved(true)
  }
  return <AccessCodeStep id={id} steps={steps} onDone={done} />
}

interface AnswerState<E extends Endpoint> {
  data: Answer<E> | undefined
  error: CallError | undefined
}

/** Loads an endpoint once, for a page before sign-in, where there is no query cache. `enabled: false` waits. */
export function useAnswer<E extends Endpoint>(endpoint: E, query: QueryOf<E>, enabled = true) {
  const [state, setState] = useState<AnswerState<E>>({ data: undefined, error: undefined })
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(query)
  useEffect(() => {
    if (!enabled) return
    const leaving = new AbortController()
    const request = { query: JSON.parse(key) as QueryOf<E>, signal: leaving.signal }
    call(endpoint, request).then(
      (data) => setState({ data, error: undefined }),
      (cause) => {
        if (leaving.signal.aborted) return
        if (!(cause instanceof CallError)) throw cause
        setState({ data: undefined, error: cause })
        // After a lost connection or with a busy server it retries twice.
        if (tries < 2 && [0, 503].includes(cause.status)) setTimeout(() => setTries(tries + 1), 2000)
      },
    )
    return () => leaving.abort()
  }, [endpoint, key, enabled, tries])
  const retry = () => {
    setState({ data: undefined, error: undefined })
    setTries(tries + 1)
  }
  return { ...state, again: retry }
}
