import { RegisterPage } from '#features/accounts/register-page.tsx'

export default RegisterPage
