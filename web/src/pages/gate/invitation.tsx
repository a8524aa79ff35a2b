import { InvitationPage } from '#features/accounts/invitations/page.tsx'

export default InvitationPage
