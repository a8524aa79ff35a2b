import { RegisterPage } from '#features/accounts/registration/page.tsx'

export default RegisterPage
