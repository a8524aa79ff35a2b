import { InvitationPage } from '#features/accounts/invitation-page.tsx'

export default InvitationPage
