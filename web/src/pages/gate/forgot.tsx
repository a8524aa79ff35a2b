import { ForgotPage } from '#features/accounts/sign-in/forgot-page.tsx'

export default ForgotPage
