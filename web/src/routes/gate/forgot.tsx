import { ForgotPage } from '#features/accounts/forgot-page.tsx'

export default ForgotPage
