import { ResetPage } from '#features/accounts/reset-page.tsx'

export default ResetPage
