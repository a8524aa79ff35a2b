import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onSignedOut } from '#shell/call.ts'
import { watchLostParts } from '#shell/lost-parts.ts'
import { keepsOwnDraft, writeOwnDrafts } from '#shell/own-draft.ts'
import { paths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { firstPage, portalRouter } from '#shell/router.ts'
import { endsOnServer } from '#shell/sign-out.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '#ui/toast.tsx'
import { tree } from './tree.tsx'

watchLostParts()
// Who leaves or reloads in the midst of a word finds it again.
addEventListener('pagehide', writeOwnDrafts)
const router = portalRouter(tree)

// Several calls can hear at once that the session is over; the first of them knows the page one was on. Nobody is asked
// whether to leave: what was typed is kept, and nothing can be saved any more.
onSignedOut((code) => {
  const { href, pathname } = router.state.location
  if (pathname === '/' || pathname.toLowerCase() === paths.login) return
  writeOwnDrafts()
  const ended = code === 'session.reused' ? 'reused' : keepsOwnDraft() ? 'kept' : 'yes'
  void router.navigate({ to: '/', search: { returnurl: href, ended }, ignoreBlocker: true })
})

endsOnServer(async (everywhere) => {
  const { endSessionOnServer } = await import('#features/accounts/end-session.ts')
  await endSessionOnServer(everywhere)
})

void start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
  () => firstPage(router),
)
