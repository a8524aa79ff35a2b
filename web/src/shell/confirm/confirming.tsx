import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { useFocusBack } from '../focus-back.ts'
import { endAsking, useAsking } from './asking.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((m) => ({ default: m.ProofDialog })))

/** Stands once in the office's frame: the dialog of `askToConfirm`. Who leaves the page has answered with no. */
export function Confirming() {
  const asking = useAsking()
  const page = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what ends it
  useEffect(() => () => endAsking(false), [page])
  if (!asking) return null
  return <Asked />
}

function Asked() {
  const { remember, goBack } = useFocusBack()
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the cursor was as the question came
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
