import { ResetPage } from '#features/accounts/sign-in/reset-page.tsx'

export default ResetPage
