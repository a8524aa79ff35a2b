import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onSignedOut } from '#shell/call.ts'
import { queryClient } from '#shell/query.ts'
import { portalRouter } from '#shell/router.ts'
import { endsOnServer } from '#shell/sign-out.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '#ui/toast.tsx'
import { tree } from './tree.tsx'

const router = portalRouter(tree)

onSignedOut(() => {
  const { href } = router.state.location
  void router.navigate({ to: '/', search: { returnurl: href } })
})

endsOnServer(async (everywhere) => {
  const { endSessionOnServer } = await import('#features/accounts/end-session.ts')
  await endSessionOnServer(everywhere)
})

start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
)
