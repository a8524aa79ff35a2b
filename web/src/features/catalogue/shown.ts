import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue-event'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue-season'

/** Everything shown of seasons and events. */
export const shownOfCatalogue = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]
