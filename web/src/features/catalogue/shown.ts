import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue/calls-events'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue/calls-seasons'

/** Everything shown of seasons and events. */
export const shownOfCatalogue = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]
