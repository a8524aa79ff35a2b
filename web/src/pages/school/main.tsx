import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { call, onCall, onSignedOut } from '#shell/call.ts'
import { callKeyed } from '#shell/call-once.ts'
import { handleFailedDownloads } from '#shell/failed-downloads.ts'
import { hasOwnDraft, saveOwnDrafts } from '#shell/own-draft.ts'
import { paths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { firstPage, portalRouter } from '#shell/router.ts'
import { followOtherTabs } from '#shell/session.ts'
import { setServerSignOut } from '#shell/sign-out.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '#ui/toast.tsx'
import { tree } from './tree.tsx'

followOtherTabs()
handleFailedDownloads()
// Text typed just before leaving or reloading is not lost.
addEventListener('pagehide', saveOwnDrafts)
const router = portalRouter(tree)

// Several calls may find out at once that the session is over; the first one still knows the current page. The user is
// not asked whether to leave: drafts are saved, and nothing else can be saved any more.
onCall(callKeyed)
onSignedOut((code) => {
  const { href, pathname } = router.state.location
  if (pathname === '/' || pathname.toLowerCase() === paths.login) return
  saveOwnDrafts()
  const ended = code === 'session.reused' ? 'reused' : hasOwnDraft() ? 'kept' : 'yes'
  void router.navigate({ to: '/', search: { returnurl: href, ended }, ignoreBlocker: true })
})

setServerSignOut(async (everywhere) => {
  const { logout, logoutEverywhere } = await import('@podium/contract/accounts/calls')
  await call(everywhere ? logoutEverywhere : logout, { body: {}, leaving: true })
})

void start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
  () => firstPage(router),
)
