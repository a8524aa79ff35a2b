import { ResultPage } from '#features/families/public-results/page.tsx'

/** `/r/<id>`: the public page of a result. */
export default function Result() {
  return <ResultPage id={window.location.pathname.split('/')[2] ?? ''} />
}
