import { LoginPage } from '#features/accounts/sign-in/page.tsx'

export default LoginPage
