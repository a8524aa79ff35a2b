import { VerifyPage } from '#features/families/public-results/verify-page.tsx'

/** `/verify` and `/verify/<number>`: whether a certificate is genuine. */
export default function ResultVerify() {
  return <VerifyPage number={numberOf(window.location.pathname)} />
}

function numberOf(path: string): string {
  try {
    return decodeURIComponent(path.split('/')[2] ?? '')
  } catch {
    return ''
  }
}
