import { login, type Provider } from '@podium/contract/accounts/calls'
import { useEffect, useRef } from 'react'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import { enter } from './enter.ts'
import { go } from './place.ts'
import { words } from './words.ts'

/** Back from a provider with the one-time ticket: signs in with it, once. */
export function ProviderReturn({ provider, id }: { provider: Provider; id: string | undefined }) {
  const t = words.use()
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    call(login, { body: { socialMediaDetails: { socialMedia: provider }, ...(id ? { id } : {}) } }).then(
      (answer) => enter(answer, false, { id }),
      (cause) => {
        toast.error(translateSentence(cause instanceof CallError ? cause.message : String(cause)))
        go(paths.login, { id }, true)
      },
    )
  }, [provider, id])
  return (
    <>
      <h1>{t('signIn')}</h1>
      <p className="lede" role="status">
        {t('signingIn')}
      </p>
      <Skeleton shape="form" rows={1} />
    </>
  )
}
