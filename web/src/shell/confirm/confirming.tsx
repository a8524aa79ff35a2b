import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { useFocusBack } from '../focus-back.ts'
import { closeQuestion, useIsAsking } from './asking.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((m) => ({ default: m.ProofDialog })))

/** Shows the dialog of `askToConfirm`; rendered once, in the office's layout. Leaving the page cancels it. */
export function Confirming() {
  const asking = useIsAsking()
  const page = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what ends it
  useEffect(() => () => closeQuestion(false), [page])
  if (!asking) return null
  return <ProofQuestion />
}

function ProofQuestion() {
  const { remember, goBack } = useFocusBack()
  // biome-ignore lint/correctness/useExhaustiveDependencies: remembers the focus once, when the question appears
  useLayoutEffect(() => {
    remember()
    return () => void goBack()
  }, [])
  return (
    <Suspense>
      <ProofDialog />
    </Suspense>
  )
}
