import { ResultsPage } from './page.tsx'

/** The four pages of results: one form and one table, told apart by the action they send. */
export const ViewResultPage = () => <ResultsPage key="all" list="all" />
export const MedalListPage = () => <ResultsPage key="medal" list="medal" />
export const AwardsPage = () => <ResultsPage key="award" list="award" />
export const PrizesPage = () => <ResultsPage key="prize" list="prize" />
